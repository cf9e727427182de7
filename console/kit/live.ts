import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { LiveChange, LiveTopic } from '../../contract/console/live.ts';
import { askSession } from './ask.ts';
import { basePath } from './base-path.ts';
import { seen } from './seen.ts';

const reconnectMs = 5000;
const offlineAfterMs = 10_000;
/** In a busy warehouse data changes all the time; a page need not refresh more often than this. */
const pauseMs = 2000;

/** null means that anything may have changed. */
type Changed = readonly LiveTopic[] | null;
type Listener = (topics: Changed) => void;
const listeners = new Set<Listener>();
const offlineListeners = new Set<() => void>();
let source: EventSource | null = null;
let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
let offlineTimer: ReturnType<typeof setTimeout> | undefined;
let isOffline = false;
let wasInterrupted = false;

/** Opens the connection that all components share, after the sign-in. */
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

/** Calls back when one of the topics has changed: at most every two seconds, and only while the page is visible. */
export function useLive(topics: readonly LiveTopic[], onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  const wanted = topics.join(' ');
  useEffect(() => {
    if (wanted === '') return;
    const throttled = makeThrottled(() => changed());
    const listener: Listener = (changedTopics) => {
      if (changedTopics === null || changedTopics.some((topic) => wanted.split(' ').includes(topic))) throttled.call();
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      throttled.stop();
    };
  }, [wanted]);
}

/** After an operator's own change, pages refresh at once instead of waiting for the server's event. */
export function announceOwnChange(): void {
  notify(null);
}

/** True after ten seconds without a connection. */
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
    // Events were missed while the connection was down.
    if (wasInterrupted) notify(null);
    wasInterrupted = false;
  });
  opened.addEventListener('error', () => {
    wasInterrupted = true;
    offlineTimer ??= setTimeout(() => setOffline(true), offlineAfterMs);
    // The browser does not reconnect by itself after an error response.
    if (opened.readyState === EventSource.CLOSED && source === opened) {
      clearTimeout(reconnectTimer);
      reconnectTimer = setTimeout(connect, reconnectMs);
    }
  });
  opened.addEventListener('signed-out', () => {
    opened.close();
    askSession.onSignedOut();
  });
  opened.addEventListener('change', ({ data }) => {
    const change = JSON.parse(data) as LiveChange;
    if (change.seen !== undefined) seen().show(change.seen);
    notify(change.topics);
  });
}

function notify(topics: Changed): void {
  for (const listener of [...listeners]) listener(topics);
}

function setOffline(value: boolean): void {
  if (isOffline === value) return;
  isOffline = value;
  for (const listener of [...offlineListeners]) listener();
}

/** Limits how often `act` runs. Calls while the page is hidden take effect when it is visible again. */
function makeThrottled(act: () => void) {
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
