import type { Clock } from './clock.ts';

/** What takes a while to find out, found out once for all who ask within a moment. A failure is not kept. */
export function keepAnswer<Answer>(
  find: () => Promise<Answer>,
  { clock, keptMs }: { clock: Clock; keptMs: number },
): () => Promise<Answer> {
  let finding: Promise<Answer> | null = null;
  let beganAtMs = Number.NEGATIVE_INFINITY;

  return () => {
    const ageMs = clock.now().getTime() - beganAtMs;
    if (finding !== null && ageMs >= 0 && ageMs < keptMs) return finding;
    beganAtMs = clock.now().getTime();
    const found = find();
    finding = found;
    found.catch(() => {
      if (finding === found) finding = null;
    });
    return found;
  };
}
