/** A first-in, first-out queue with a maximum length. An entry that has waited too long can leave early. */
export class BoundedQueue<Entry> {
  readonly #entries: Set<Entry>;
  readonly #max: number;
  readonly #onSize: (size: number) => void;

  constructor(max: number, onSize: (size: number) => void = () => {}) {
    this.#entries = new Set();
    this.#max = max;
    this.#onSize = onSize;
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
    this.#onSize(this.size);
  }

  takeFirst(): Entry | undefined {
    const [first] = this.#entries;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Returns false if the entry is not in the queue any more. */
  remove(entry: Entry): boolean {
    const wasQueued = this.#entries.delete(entry);
    if (wasQueued) this.#onSize(this.size);
    return wasQueued;
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#entries.values();
  }
}
