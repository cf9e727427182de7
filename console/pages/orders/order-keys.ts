import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../kit/typing.ts';

/** Within this time after `g`, a letter is the shell's shortcut to another page. */
const goMs = 1500;

/** Shortcuts of a single letter. */
export function useOrderKeys(actions: Record<string, (() => void) | undefined>): void {
  const act = useEffectEvent((key: string) => actions[key]?.());
  useEffect(() => {
    let goUntilMs = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.shiftKey) return;
      if (event.timeStamp >= goUntilMs && event.key.length === 1) {
        // Without the delay, the letter would be typed into the field that it focuses.
        if (event.key !== 'g') setTimeout(() => act(event.key));
      }
      goUntilMs = event.key === 'g' ? event.timeStamp + goMs : 0;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
