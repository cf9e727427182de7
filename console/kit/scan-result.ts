import { type ReactNode, useState } from 'react';
import { playSound } from './sound.ts';
import type { Tone } from './status-badge.tsx';

/** The result of a scan. `done` and `failed` are also heard. */
export interface ScanResult {
  tone: Tone;
  text: ReactNode;
}

/** The result of the last scan, for `ScanField`. Each new result plays its sound, also if its text is the same. */
export function useScanResult() {
  const [last, setLast] = useState<ScanResult | null>(null);
  return {
    last,
    show(result: ScanResult | null) {
      setLast(result);
      if (result?.tone === 'done' || result?.tone === 'failed') playSound(result.tone);
    },
    /** Adds details to a result, unless a later one is shown. */
    refine: (shown: ScanResult, better: ScanResult) => setLast((present) => (present === shown ? better : present)),
  };
}
