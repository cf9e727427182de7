import { useEffect, useSyncExternalStore } from 'react';
import { useLanguage, useWords } from './language.tsx';
import { formatInstant, relativeText } from './time-text.ts';
import { words } from './words.ts';

const tickMs = 30_000;
const tickers = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

export interface TimeProps {
  /** An ISO instant; nothing is shown for null. */
  at: string | null | undefined;
  /** Shows date and time instead of "5 min ago". */
  absolute?: boolean;
}

/** A relative time, with the absolute time in Taipei as its title. All of them are updated together. */
export function Time({ at, absolute = false }: TimeProps) {
  const { language } = useLanguage();
  const say = useWords(words);
  const present = useNow();
  if (at === null || at === undefined) return null;
  const full = formatInstant(at);
  return (
    <time dateTime={at} title={`${full} (UTC+8)`} style={{ whiteSpace: 'nowrap' }}>
      {absolute ? full : relativeText(at, present, language, say.justNow)}
    </time>
  );
}

/** A relative time in the future. Once it has passed, `due` is shown, because a next run cannot be in the past. */
export function UpcomingTime({ at, due }: { at: string; due?: string }) {
  const { language } = useLanguage();
  const say = useWords(words);
  const present = useNow();
  const full = formatInstant(at);
  const text =
    Date.parse(at) <= present.getTime() ? (due ?? say.dueNow) : relativeText(at, present, language, say.soon);
  return (
    <time dateTime={at} title={`${full} (UTC+8)`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}

/** The current time, updated every half minute. */
export function useNow(): Date {
  useEffect(() => {
    if (Date.now() - now.getTime() > tickMs) tick();
  }, []);
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  tickers.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    tickers.delete(listener);
    if (tickers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = new Date();
  for (const listener of [...tickers]) listener();
}
