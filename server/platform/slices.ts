/** Puts small pieces of work in a row that is worked off in slices: whatever else has come meanwhile, such as an answer of the database, is heard in between. */
export function makeSlices(sliceMax: number): (work: () => void) => void {
  const row: (() => void)[] = [];
  let next = 0;

  function workOn(): void {
    for (let count = 0; count < sliceMax && next < row.length; count++) row[next++]!();
    if (next < row.length) {
      setImmediate(workOn);
      return;
    }
    row.length = 0;
    next = 0;
  }

  return (work) => {
    row.push(work);
    if (row.length === 1) setImmediate(workOn);
  };
}
