/**
 * Runs small pieces of work in the order of arrival, at most `sliceMax` per turn of the event loop. Other events, such
 * as a response of the database, are handled between two slices.
 */
export function makeScheduler(sliceMax: number): (work: () => void) => void {
  const queue: (() => void)[] = [];
  let isScheduled = false;

  function runSlice(): void {
    try {
      // Each entry is removed before it runs: under load the queue is never empty, and would otherwise keep every
      // entry.
      for (let count = 0; count < sliceMax && queue.length > 0; count++) queue.shift()!();
    } finally {
      isScheduled = queue.length > 0;
      if (isScheduled) setImmediate(runSlice);
    }
  }

  return (work) => {
    queue.push(work);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runSlice);
  };
}
