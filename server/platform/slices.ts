/** Puts small pieces of work in a row that is worked off in slices: whatever else has come meanwhile, such as an answer of the database, is heard in between. */
export function makeSlices(sliceMax: number): (work: () => void) => void {
  const row: (() => void)[] = [];
  let isAtWork = false;

  function workOn(): void {
    try {
      // Out of the row before it is done: under load the row is never empty, and would otherwise keep everything that ever stood in it.
      for (let count = 0; count < sliceMax && row.length > 0; count++) row.shift()!();
    } finally {
      isAtWork = row.length > 0;
      if (isAtWork) setImmediate(workOn);
    }
  }

  return (work) => {
    row.push(work);
    if (isAtWork) return;
    isAtWork = true;
    setImmediate(workOn);
  };
}
