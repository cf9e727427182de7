import { Loader, Modal, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { FoundHit, searchFind } from '../../contract/console/search.ts';
import { ask } from '../kit/ask.ts';
import { useWords } from '../kit/language.tsx';
import { formatNumber } from '../kit/number.ts';
import { useNavigation } from './navigation-links.tsx';
import classes from './search-palette.module.css';
import { words } from './words.ts';

export interface SearchPaletteProps {
  opened: boolean;
  onOpen(): void;
  onClose(): void;
}

type SearchHit = Omit<FoundHit, 'kind'> & { kind: FoundHit['kind'] | 'page' };

const waitMs = 180;
const textMin = 2;

/** Finds documents by number and pages by name. Ctrl+K opens it on every page. */
export function SearchPalette({ opened, onOpen, onClose }: SearchPaletteProps) {
  const say = useWords(words);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Modal.Root opened={opened} onClose={onClose} size={620} padding={0} yOffset="10vh" centered={false}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={say.searchTitle} aria-labelledby={undefined} aria-describedby={undefined}>
        <Modal.Body>
          <SearchForm onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function SearchForm({ onClose }: { onClose(): void }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { hits, isAsking } = useHits(text.trim());

  const open = (hit: SearchHit | undefined) => {
    if (hit === undefined) return;
    onClose();
    void navigate(hit.path);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || hits.length === 0) return;
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % hits.length);
    else if (event.key === 'ArrowUp') setChosen((chosen + hits.length - 1) % hits.length);
    else if (event.key === 'Enter') open(hits[chosen]);
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes.palette}>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.field ?? ''}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={isAsking && <Loader size={16} />}
        placeholder={say.searchPlaceholder}
        aria-label={say.searchTitle}
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={hits.length > 0 ? `${listId}-${chosen}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <VisuallyHidden role="status">
        {text.trim().length >= textMin && !isAsking ? say.hits(formatNumber(hits.length)) : ''}
      </VisuallyHidden>
      <Hits listId={listId} hits={hits} chosen={chosen} onOpen={open} onChoose={setChosen} />
      {hits.length === 0 && (
        <p className={classes.hint}>
          {text.trim().length < textMin ? say.searchHint : isAsking ? ' ' : say.searchNothing(text.trim())}
        </p>
      )}
    </div>
  );
}

interface HitsProps {
  listId: string;
  hits: SearchHit[];
  chosen: number;
  onOpen(hit: SearchHit): void;
  onChoose(place: number): void;
}

function Hits({ listId, hits, chosen, onOpen, onChoose }: HitsProps) {
  const say = useWords(words);
  return (
    <div id={listId} role="listbox" aria-label={say.searchTitle} className={classes.hits}>
      {hits.map((hit, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field, where the focus stays.
        <div
          key={hit.kind + hit.path}
          id={`${listId}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === chosen}
          className={classes.hit}
          ref={place === chosen ? scrollIntoView : null}
          onClick={() => onOpen(hit)}
          onMouseMove={() => onChoose(place)}
        >
          <span className={classes.kind}>{say.hitKind[hit.kind]}</span>
          <span className={classes.title}>{hit.title}</span>
          <span className={classes.subtitle}>{hit.subtitle}</span>
        </div>
      ))}
    </div>
  );
}

/** Pages are known here; everything else is asked for, once the typing pauses. */
function useHits(text: string): { hits: SearchHit[]; isAsking: boolean } {
  const say = useWords(words);
  const [asked] = useDebouncedValue(text, waitMs);
  const pages = useNavigation()
    .filter(
      ({ name, to }) =>
        text === '' ||
        say.nav[name].toLowerCase().includes(text.toLowerCase()) ||
        to.slice(1).startsWith(text.toLowerCase()),
    )
    .map(({ name, to }): SearchHit => ({ kind: 'page', title: say.nav[name], subtitle: '', path: to }));
  const isWanted = asked.length >= textMin;
  const query = useQuery({
    queryKey: ['ask', '/search/find', asked],
    queryFn: ({ signal }) => ask<typeof searchFind>('/search/find', { text: asked }, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const found: SearchHit[] = text.length >= textMin ? (query.data?.hits ?? []) : [];
  return { hits: [...found, ...pages], isAsking: text.length >= textMin && (query.isFetching || asked !== text) };
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
