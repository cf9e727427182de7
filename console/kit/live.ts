import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { askSession } from './ask.ts';
import { basePath } from './base-path.ts';

export const liveTopics = ['orders', 'inbound', 'stock', 'products', 'callbacks', 'partners', 'audit'] as const;
export type LiveTopic = (typeof liveTopics)[number];

const reconnectMs = 5000;
const offlineAfterMs = 10_000;
/** A busy warehouse changes all the time; a page need not be asked for more often. */
const pauseMs = 2000;

type Listener = (topics: readonly LiveTopic[]) => void;
const listeners = new Set<Listener>();
const offlineListeners = new Set<() => void>();
let source: EventSource | null = null;
let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
let offlineTimer: ReturnType<typeof setTimeout> | undefined;
let isOffline = false;
let wasInterrupted = false;

/** The one connection of all parts of the page; opened when somebody is signed in. */
export function openLive(): () => void {
  connect();
  return () => {
    clearTimeout(reconnectTimer);
    clearTimeout(offlineTimer);
    source?.close();
    source = null;
    setOffline(false);
  };
}

/** Calls when one of the topics has changed, at most every two seconds, and not while nobody looks at the page. */
export function useLive(topics: readonly LiveTopic[], onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  const wanted = topics.join(' ');
  useEffect(() => {
    if (wanted === '') return;
    const paced = makePaced(() => changed());
    const listener: Listener = (told) => {
      if (told.some((topic) => wanted.split(' ').includes(topic))) paced.call();
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      paced.stop();
    };
  }, [wanted]);
}

/** What a person has just done is looked at without waiting for the word from the server. */
export function announceOwnChange(): void {
  tell(liveTopics);
}

/** True when changes have not been heard of for ten seconds. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      offlineListeners.add(listener);
      return () => offlineListeners.delete(listener);
    },
    () => isOffline,
  );
}

function connect(): void {
  source?.close();
  const opened = new EventSource(`${basePath}/api/live`);
  source = opened;
  opened.addEventListener('open', () => {
    clearTimeout(offlineTimer);
    offlineTimer = undefined;
    setOffline(false);
    // What happened in between was not heard.
    if (wasInterrupted) tell(liveTopics);
    wasInterrupted = false;
  });
  opened.addEventListener('error', () => {
    wasInterrupted = true;
    offlineTimer ??= setTimeout(() => setOffline(true), offlineAfterMs);
    // After a refusal the browser does not try again by itself.
    if (opened.readyState === EventSource.CLOSED && source === opened) {
      clearTimeout(reconnectTimer);
      reconnectTimer = setTimeout(connect, reconnectMs);
    }
  });
  opened.addEventListener('signed-out', () => {
    opened.close();
    askSession.onSignedOut();
  });
  opened.addEventListener('change', ({ data }) => tell((JSON.parse(data) as { topics: LiveTopic[] }).topics));
}

function tell(topics: readonly LiveTopic[]): void {
  for (const listener of [...listeners]) listener(topics);
}

function setOffline(value: boolean): void {
  if (isOffline === value) return;
  isOffline = value;
  for (const listener of [...offlineListeners]) listener();
}

/** At once, then at most once per pause; what comes while the page is hidden is done when it is seen again. */
function makePaced(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const run = () => {
    if (document.hidden) return;
    isDue = false;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, pauseMs);
  };
  const onSeen = () => {
    if (isDue && timer === undefined) run();
  };
  document.addEventListener('visibilitychange', onSeen);
  return {
    call() {
      isDue = true;
      if (timer === undefined) run();
    },
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
