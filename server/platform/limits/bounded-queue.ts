/** A first-in, first-out queue with a maximum length. An entry that has waited too long can leave early. */
export class BoundedQueue<Entry> {
  readonly #entries: Set<Entry>;
  readonly #max: number;

  constructor(max: number) {
    this.#entries = new Set();
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get isFull(): boolean {
    return this.#entries.size >= this.#max;
  }

  add(entry: Entry): void {
    if (this.isFull) throw new Error('the queue is full');
    this.#entries.add(entry);
  }

  takeFirst(): Entry | undefined {
    const [first] = this.#entries;
    if (first !== undefined) this.#entries.delete(first);
    return first;
  }

  /** Returns false if the entry is not in the queue any more. */
  remove(entry: Entry): boolean {
    return this.#entries.delete(entry);
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#entries.values();
  }
}
