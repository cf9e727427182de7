import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { isTyping } from './typing.ts';

export interface Selection {
  keys: ReadonlySet<string>;
  toggle(key: string): void;
  /** Selects or deselects all rows between two rows, depending on the state of the second one. */
  toggleRange(keys: string[], from: string, to: string): void;
  setAll(keys: string[], selected: boolean): void;
  clear(): void;
}

/** The selected rows. They are stored by key, so the selection survives paging and refreshed rows. */
export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const setAll = (changed: string[], selected: boolean) =>
    setKeys((before) =>
      selected ? new Set([...before, ...changed]) : new Set([...before].filter((key) => !changed.includes(key))),
    );
  return {
    keys,
    toggle: (key) => setAll([key], !keys.has(key)),
    toggleRange: (shown, from, to) => setAll(between(shown, from, to), !keys.has(to)),
    setAll,
    clear: () => setKeys(new Set()),
  };
}

function between(keys: string[], from: string, to: string): string[] {
  const [start, end] = [keys.indexOf(from), keys.indexOf(to)].sort((one, other) => one - other);
  return keys.slice(start, end! + 1);
}

/** j and k move between rows, and so do the arrow keys once a row has the focus. x selects the row. */
export function useRowKeys(container: RefObject<HTMLElement | null>, onSelect: (key: string) => void): void {
  const select = useEffectEvent(onSelect);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || container.current === null || event.shiftKey) return;
      const rows = [...container.current.querySelectorAll<HTMLElement>('[data-row-key]')];
      const place = rows.findIndex((row) => row.contains(document.activeElement));
      const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
      if (event.key === 'x' && place >= 0) select(rows[place]!.dataset.rowKey!);
      else if (event.key === 'j' || event.key === 'k' || (isArrow && place >= 0)) {
        const isDown = event.key === 'j' || event.key === 'ArrowDown';
        focusRow(rows[isDown ? Math.min(place + 1, rows.length - 1) : Math.max(place - 1, 0)]);
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [container]);
}

function focusRow(row: HTMLElement | undefined): void {
  const target = row?.querySelector<HTMLElement>('[data-row-link]') ?? row;
  target?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
