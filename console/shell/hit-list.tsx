import { useWords } from '../kit/language.tsx';
import { sharedWords } from '../kit/shared-words.ts';
import { inboundTone, orderTone, StatusBadge } from '../kit/status-badge.tsx';
import { Time } from '../kit/time.tsx';
import type { HitGroup, RecipientTerm, SearchHit } from './search-hits.ts';
import classes from './search-palette.module.css';
import { searchWords } from './search-words.ts';

export interface HitListProps {
  listId: string;
  groups: HitGroup[];
  chosen: number;
  onOpen(hit: SearchHit): void;
  onChoose(place: number): void;
}

/** The results, grouped by kind. */
export function HitList({ listId, groups, chosen, onOpen, onChoose }: HitListProps) {
  const say = useWords(searchWords);
  const firstPlaces = groups.map((_, index) =>
    groups.slice(0, index).reduce((count, { hits }) => count + hits.length, 0),
  );
  return (
    <div id={listId} role="listbox" aria-label={say.title} className={classes.hits}>
      {groups.map(({ kind, hits, hasMore }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox is divided into groups, not into fieldsets.
        <div key={kind} role="group" aria-labelledby={`${listId}-${kind}`}>
          <div id={`${listId}-${kind}`} className={classes.kind} role="presentation">
            {say.kinds[kind]}
            {hasMore && <span className={classes.more}> · {say.more}</span>}
          </div>
          {hits.map((hit, at) => (
            <Option
              key={hit.kind === 'recipient' ? hit.kind : hit.path}
              id={`${listId}-${firstPlaces[index]! + at}`}
              isChosen={firstPlaces[index]! + at === chosen}
              onOpen={() => onOpen(hit)}
              onChoose={() => onChoose(firstPlaces[index]! + at)}
            >
              {hit.kind === 'recipient' ? <RecipientQuestion term={hit.term} /> : <Hit hit={hit} />}
            </Option>
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  isChosen: boolean;
  onOpen(): void;
  onChoose(): void;
  children: React.ReactNode;
}

export function Option({ id, isChosen, onOpen, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field, where the focus stays.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes.hit}
      ref={isChosen ? scrollIntoView : null}
      onClick={onOpen}
      onMouseMove={onChoose}
    >
      {children}
    </div>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function Hit({ hit }: { hit: Exclude<SearchHit, { kind: 'recipient' }> }) {
  const shared = useWords(sharedWords);
  const { title, subtitle, order_status, inbound_status, created_at } = hit;
  return (
    <>
      <span className={classes.title}>{title}</span>
      {order_status && <StatusBadge tone={orderTone[order_status]}>{shared.orderStatus[order_status]}</StatusBadge>}
      {inbound_status && (
        <StatusBadge tone={inboundTone[inbound_status]}>{shared.inboundStatus[inbound_status]}</StatusBadge>
      )}
      <span className={classes.subtitle}>{subtitle}</span>
      {created_at && (
        <span className={classes.at}>
          <Time at={created_at} absolute />
        </span>
      )}
    </>
  );
}

function RecipientQuestion({ term: { by, text } }: { term: RecipientTerm }) {
  const say = useWords(searchWords);
  const find = by === 'name' ? say.findName : text.length === 4 ? say.findLastFour : say.findPhone;
  return (
    <>
      <span className={classes.title}>{find(text)}</span>
      <span className={classes.subtitle}>{say.logged}</span>
    </>
  );
}
