import { useEffect, useEffectEvent, useRef, useState } from 'react';

/**
 * Handles scans one after the other, in their order. The next one starts after the render that shows the effect of the
 * previous one, so that a handler never sees an old state, however fast the scanner is.
 */
export function useScanQueue<Scan>(handle: (scan: Scan) => unknown): { add(scan: Scan): void; waiting: number } {
  const queue = useRef<Scan[]>([]);
  const isRunning = useRef(false);
  const [turn, setTurn] = useState({ waiting: 0 });

  const next = useEffectEvent(async () => {
    if (isRunning.current || queue.current.length === 0) return;
    isRunning.current = true;
    try {
      await handle(queue.current.shift()!);
    } finally {
      isRunning.current = false;
      setTurn({ waiting: queue.current.length });
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn starts the next scan.
  useEffect(() => void next(), [turn]);

  return {
    waiting: turn.waiting,
    add(scan) {
      queue.current.push(scan);
      setTurn({ waiting: queue.current.length });
    },
  };
}
