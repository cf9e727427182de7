import type { Connection } from './connection.ts';
import { OutcomeUnknown } from './deadline.ts';
import { type AccountList, listOfAccounts, makeTx, type Query, type Rows, type Tx } from './sql.ts';
import { changeOf, type Surroundings, surroundingsOf } from './surroundings.ts';

/** The statements of one transaction on a connection, until it is ended. */
export class TransactionScope {
  readonly tx: Tx;
  private firstError: unknown;
  private readonly connection: Connection;
  private surroundings: Surroundings;
  private isOver: boolean;

  constructor(connection: Connection, accountIds: readonly number[]) {
    this.tx = makeTx((query, accounts) => this.runFor(accounts, query), accountIds, connection.isDistributed);
    this.connection = connection;
    this.surroundings = surroundingsOf(listOfAccounts(accountIds), { isPrepared: true }, connection.isDistributed);
    this.isOver = false;
  }

  /** The accounts are sent in the same message. `plans`: those that the connection has without being told. */
  begin(command: 'begin' | 'begin read write', plans: Surroundings['plans']): Promise<Rows> {
    if (this.connection.isDistributed) {
      // Citus repeats the whole message on its workers.
      void this.run({ text: command, values: [], isPrepared: false }).catch(() => {});
      return this.run(changeOf('local', { ...this.surroundings, accounts: null }, this.surroundings)!);
    }
    const { text } = changeOf('local', { accounts: null, plans }, this.surroundings)!;
    return this.run({ text: `${command}; ${text}`, values: [], isPrepared: false });
  }

  run(query: Query): Promise<Rows> {
    if (this.isOver) return tooLate();
    const running = this.connection.run(query);
    running.catch((error) => {
      this.firstError ??= error;
    });
    return running;
  }

  /** After a statement has failed, all others of the transaction fail too, and their errors may be reported first. */
  causeOf(error: unknown): unknown {
    return error instanceof OutcomeUnknown ? error : (this.firstError ?? error);
  }

  end(): void {
    this.isOver = true;
  }

  private runFor(accounts: AccountList, query: Query): Promise<Rows> {
    const wanted = surroundingsOf(accounts, query, this.connection.isDistributed);
    const change = changeOf('local', this.surroundings, wanted);
    this.surroundings = wanted;
    if (change !== null) void this.run(change).catch(() => {});
    return this.run(query);
  }
}

/** A connection that has returned to its pool, or begun another transaction, belongs to others. */
export function tooLate(): Promise<never> {
  return Promise.reject(new Error('a statement came after the end of its work'));
}
