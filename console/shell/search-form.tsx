import { CloseButton, Kbd, Loader, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useWords } from '../kit/language.tsx';
import { formatNumber } from '../kit/number.ts';
import { HitList } from './hit-list.tsx';
import { FoundRecipients, useRecipientSearch } from './recipient-results.tsx';
import { isLongEnough, numberPartLengthMin, type SearchHit } from './search-hits.ts';
import classes from './search-palette.module.css';
import { searchWords } from './search-words.ts';
import { useHits } from './use-hits.ts';

/** The field and its results. The focus stays in the field: arrows choose, Enter opens. */
export function SearchForm({ onClose }: { onClose(): void }) {
  const say = useWords(searchWords);
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const search = useHits(text.trim());
  const recipients = useRecipientSearch();
  const hits = search.groups.flatMap((group) => group.hits);
  const orders = recipients.page?.rows ?? [];
  const count = recipients.isOn ? orders.length : hits.length;

  const open = (path: string) => {
    onClose();
    void navigate(path);
  };
  const choose = (hit: SearchHit) => {
    if (hit.kind !== 'recipient') return open(hit.path);
    setChosen(0);
    recipients.run(hit.term);
  };
  const scanned = useScan(search.isAsking, hits, choose);
  const enter = () => {
    if (recipients.isOn) orders[chosen] && open(`/orders/${orders[chosen].order_id}`);
    else if (search.isAsking) scanned.enter();
    else if (hits[chosen]) choose(hits[chosen]);
  };

  return (
    <div className={classes.palette}>
      <SearchField
        text={text}
        isAsking={search.isAsking}
        listId={listId}
        option={count > 0 ? `${listId}-${chosen}` : undefined}
        onClose={onClose}
        onKey={(event) => onSearchKey(event, { chosen, count, onChoose: setChosen, onEnter: enter })}
        onText={(typed) => {
          setText(typed);
          setChosen(0);
          recipients.end();
          scanned.forget();
        }}
      />
      <VisuallyHidden role="status">
        {isLongEnough(text.trim()) && !search.isAsking ? say.results(formatNumber(count)) : ''}
      </VisuallyHidden>
      {recipients.isOn ? (
        <FoundRecipients listId={listId} search={recipients} chosen={chosen} onChoose={setChosen} onOpen={open} />
      ) : (
        <>
          <HitList listId={listId} groups={search.groups} chosen={chosen} onOpen={choose} onChoose={setChosen} />
          <Hint text={text.trim()} isAsking={search.isAsking} hasFound={search.hasFound} isBehind={search.isBehind} />
        </>
      )}
      <Keys />
    </div>
  );
}

interface Choice {
  chosen: number;
  count: number;
  onChoose(place: number): void;
  onEnter(): void;
}

function onSearchKey(event: KeyboardEvent, { chosen, count, onChoose, onEnter }: Choice): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Enter') onEnter();
  else if (event.key === 'ArrowDown' && count > 0) onChoose((chosen + 1) % count);
  else if (event.key === 'ArrowUp' && count > 0) onChoose((chosen + count - 1) % count);
  else return;
  event.preventDefault();
}

interface SearchFieldProps {
  text: string;
  isAsking: boolean;
  listId: string;
  /** The id of the chosen result. */
  option: string | undefined;
  onText(text: string): void;
  onKey(event: KeyboardEvent): void;
  onClose(): void;
}

function SearchField({ text, isAsking, listId, option, onText, onKey, onClose }: SearchFieldProps) {
  const say = useWords(searchWords);
  return (
    <TextInput
      data-autofocus
      size="md"
      variant="unstyled"
      className={classes.field ?? ''}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={isAsking ? <Loader size={16} /> : <CloseButton aria-label={say.close} onClick={onClose} />}
      placeholder={say.placeholder}
      aria-label={say.title}
      role="combobox"
      aria-expanded={option !== undefined}
      aria-controls={listId}
      aria-activedescendant={option}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}

function Keys() {
  const say = useWords(searchWords);
  const keys = { '↑ ↓': say.choose, Enter: say.open, Esc: say.close };
  return (
    <p className={classes.keys} aria-hidden>
      {Object.entries(keys).map(([key, use]) => (
        <span key={key}>
          <Kbd size="xs">{key}</Kbd> {use}
        </span>
      ))}
    </p>
  );
}

/** A scanner sends Enter before the answer is there; the very number then opens as soon as it is found. */
function useScan(isAsking: boolean, hits: SearchHit[], onOpen: (hit: SearchHit) => void) {
  const [isEntered, setEntered] = useState(false);
  const answer = useEffectEvent(() => {
    setEntered(false);
    const [first] = hits;
    if (first && first.kind !== 'recipient' && first.is_exact) onOpen(first);
  });
  useEffect(() => {
    if (isEntered && !isAsking) answer();
  }, [isEntered, isAsking]);
  return { enter: () => setEntered(true), forget: () => setEntered(false) };
}

interface HintProps {
  text: string;
  isAsking: boolean;
  /** Whether there is anything except pages. */
  hasFound: boolean;
  isBehind: boolean;
}

/** Explains an empty or short text, and an empty result. */
function Hint({ text, isAsking, hasFound, isBehind }: HintProps) {
  const say = useWords(searchWords);
  const isShortNumber = text.length < numberPartLengthMin && !/\p{Script=Han}/u.test(text);
  const hints = [
    text === '' && say.hint,
    text !== '' && !isLongEnough(text) && say.tooShort,
    isLongEnough(text) && !isAsking && !hasFound && `${say.nothing(text)} ${isShortNumber ? '' : say.nothingHint}`,
    isLongEnough(text) && !isAsking && isShortNumber && say.onlyBeginnings,
    isBehind && say.behind,
  ].filter((hint) => hint !== false);
  return hints.map((hint) => (
    <p key={hint} className={classes.hint}>
      {hint}
    </p>
  ));
}
