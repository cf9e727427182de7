import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../kit/typing.ts';

/** After g, a letter goes to a page of the shell. */
const goMs = 1500;

/** Single letters that do something on this page. */
export function useOrderKeys(actions: Record<string, (() => void) | undefined>): void {
  const act = useEffectEvent((key: string) => actions[key]?.());
  useEffect(() => {
    let goUntilMs = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.shiftKey) return;
      if (event.timeStamp >= goUntilMs && event.key.length === 1) {
        // The letter must not land in the field that it opens.
        if (event.key !== 'g') setTimeout(() => act(event.key));
      }
      goUntilMs = event.key === 'g' ? event.timeStamp + goMs : 0;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
