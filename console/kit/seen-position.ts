/** The state when a request was sent; its response is compared with it. */
export interface SentSeen {
  text: string;
  doubts: number;
}

export interface SharedText {
  read(): string;
  write(text: string): void;
}

const unknown = 'now';

/**
 * How far the operator has seen the database: `seenHeader` of the contract. Each tab remembers it, because responses may
 * arrive in another order than they were sent. The tabs of a browser share it in a cookie, which downloads send too.
 */
export class SeenPosition {
  private readonly shared: SharedText;
  private latest: string;
  /** `doubts`: the number of responses that were lost or were errors. `settled`: how many of them came before a complete one. */
  private doubts: number;
  private settled: number;
  /** Another tab's doubt is not ours to settle. */
  private isOwnDoubt: boolean;

  constructor(shared: SharedText) {
    this.shared = shared;
    const before = shared.read();
    this.latest = before === unknown ? '' : before;
    // The tab that was in doubt may be closed.
    this.isOwnDoubt = before === unknown;
    this.doubts = this.isOwnDoubt ? 1 : 0;
    this.settled = 0;
  }

  /** For a request that is sent now. */
  send(): SentSeen {
    return { text: this.text(), doubts: this.doubts };
  }

  /** The response to a request has shown this. */
  receive(text: string | null, sent: SentSeen): void {
    this.settled = Math.max(this.settled, sent.doubts);
    this.show(text ?? '');
  }

  /** A response is missing, or does not say what it shows. Its request may have changed something. */
  doubt(): void {
    this.doubts++;
    this.isOwnDoubt = true;
    this.share();
  }

  /** Something else has shown this. */
  show(text: string): void {
    if (text === unknown) {
      this.doubt();
      return;
    }
    this.latest = laterOf(this.latest, text);
    this.share();
  }

  private text(): string {
    return this.settled < this.doubts ? unknown : this.latest;
  }

  private share(): void {
    const [before, now] = [this.shared.read(), this.text()];
    if (before === unknown && !this.isOwnDoubt) return;
    const next = now === unknown || before === unknown ? now : laterOf(before, now);
    if (next !== before) this.shared.write(next);
    if (next !== unknown) this.isOwnDoubt = false;
  }
}

/** Returns the later of two positions: in one database cluster, that is the greater text. Another cluster's is replaced. */
function laterOf(one: string, other: string): string {
  if (other === '') return one;
  return one.split('.')[0] === other.split('.')[0] && one > other ? one : other;
}
