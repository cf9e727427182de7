import { type Client, DatabaseError, type QueryResult, type Query as SubmittedQuery } from 'pg';
import { currentSpan } from '../tracing/span.ts';
import type { DatabaseRecord, PendingCommit, RecordedConnection } from './database-record.ts';
import { RowArray, type RowTypes } from './row-array.ts';
import type { Query, Row, Rows } from './sql.ts';
import { type AccountList, makeSql, type Sql } from './sql.ts';
import { changeOf, ofNoAccount, type Surroundings, surroundingsOf } from './surroundings.ts';

/** A connection that could not be opened, or that is lost. `code` is that of the system, or one of ours. */
export class ConnectionError extends Error {
  readonly code: string;

  /** The cause for people, without names of hosts: readiness is public. */
  get reason(): string {
    return codesWithReason.includes(this.code) ? this.message : this.code;
  }

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
    this.code = code;
  }
}

/** Our own codes. Their messages say what an operator needs to know. */
const codesWithReason = ['CONNECT_TIMEOUT', 'STANDBY', 'OLD_TIMELINE', 'OTHER_CLUSTER', 'STALLED', 'TLS'];
/** The code of PostgreSQL. */
const diskIsFull = '53100';
/** The server keeps the plan of each prepared statement in memory, and the texts of searches vary. */
export const preparedMax = 300;

const gatheredMax = 8;

/** One connection to PostgreSQL. Once it is lost, it stays lost: its owner opens another one. */
export class Connection {
  /** Statements that are sent without waiting for each other are executed in this order. */
  readonly sql: Sql;
  /** Whether the tables are on several servers; see distribution.ts. */
  isDistributed: boolean;
  rowTypes: RowTypes;
  /** For statements outside of transactions. */
  private surroundings: Surroundings;
  /** Warnings of the server, as after a commit that no standby has confirmed. */
  warnings: number;
  private record: { of: DatabaseRecord; entry: RecordedConnection } | null;
  private committing: number;
  private readonly client: Client;
  /** The names of prepared statements by their text; the one that was not used for the longest time is first. */
  private readonly names: Map<string, string>;
  private readonly lossListeners: Set<(error: ConnectionError) => void>;
  private statements: number;
  /** The statements of this turn that were not sent yet; null: none. */
  private gathered: number | null;
  private isClosing: boolean;
  private loss: ConnectionError | null;

  constructor(client: Client) {
    this.client = client;
    this.record = null;
    this.committing = 0;
    this.isDistributed = false;
    this.rowTypes = new Map();
    this.surroundings = { accounts: ofNoAccount, plans: 'of_values' };
    this.sql = makeSql((query) => this.run(query));
    this.warnings = 0;
    this.names = new Map();
    this.lossListeners = new Set();
    this.statements = 0;
    this.gathered = null;
    this.isClosing = false;
    this.loss = null;
    // A server may translate the word WARNING; its notices have this code.
    client.on('notice', ({ code }) => {
      if (code !== '00000') this.warnings++;
    });
    client.on('error', (error) => this.lose(error));
    client.on('end', () => this.lose(null));
  }

  get isOpen(): boolean {
    return this.loss === null;
  }

  run(query: Query): Promise<Rows> {
    if (this.loss !== null) return Promise.reject(this.loss);
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    const { isPrepared } = query;
    const values = query.values.map((value) => (value instanceof RowArray ? value.write(this.rowTypes) : value));
    const text = this.isDistributed ? withRowsReturned(query.text) : query.text;
    const name = isPrepared ? this.nameOf(text) : undefined;
    this.gatherWrites();
    const span = currentSpan()?.statement(text) ?? null;
    this.client.query({ text, values, name }, (error: Error | null, result: QueryResult | QueryResult[]) => {
      if (span !== null) span.end({ error: error ? codeOf(error) : undefined });
      if (!error) resolve(rowsOf(result));
      else if (isOutdatedPlan(error)) this.repeatWithNewPlan(query, error).then(resolve, reject);
      else reject(this.explain(error));
    });
    return promise;
  }

  /** Sends a query that reads and writes the messages of its statement itself, such as COPY (`copy.ts`). */
  submit(query: SubmittedQuery): void {
    this.client.query(query);
  }

  /** A statement in its own transaction, for these accounts. */
  runFor(accounts: AccountList, query: Query): Promise<Rows> {
    if (this.isDistributed && accounts !== ofNoAccount) return this.runInTransaction(accounts, query);
    const wanted = surroundingsOf(accounts, query, this.isDistributed);
    const change = changeOf('session', this.surroundings, wanted);
    this.surroundings = wanted;
    // Nothing may run for the wrong accounts.
    if (change !== null) this.run(change).catch(() => this.destroy());
    return this.run(query);
  }

  /** From now on the record knows the connection and its commits. */
  enter(record: DatabaseRecord, { identity, purpose }: Omit<RecordedConnection, 'destroy'>): void {
    const entry = { identity, purpose, destroy: () => this.destroy() };
    if (!this.isOpen) return;
    this.record = { of: record, entry };
    record.opened(entry);
    this.onLost(() => record.closed(entry));
  }

  /** The owner of the connection is about to send COMMIT, and says later how it ended. */
  commitSent(): PendingCommit {
    const pending = this.record?.of.commitSent(this.record.entry);
    this.committing++;
    return {
      ended: (outcome) => {
        this.committing--;
        pending?.ended(outcome);
      },
    };
  }

  get isCommitting(): boolean {
    return this.committing > 0;
  }

  /** Citus states the accounts on its other servers only for the length of a transaction. */
  private async runInTransaction(accounts: AccountList, query: Query): Promise<Rows> {
    const plain = (text: string) => this.run({ text, values: [], isPrepared: false });
    const [, , rows, end] = await Promise.all([
      plain('begin'),
      plain(`set local lading.accounts = '${accounts}'`),
      this.run(query),
      plain('commit'),
    ]);
    if (end.command !== 'COMMIT') throw new Error(`the transaction ended with ${end.command}`);
    return rows;
  }

  /** Calls `listener` when the connection is lost. Returns a function that removes it. */
  onLost(listener: (error: ConnectionError) => void): () => void {
    this.lossListeners.add(listener);
    return () => void this.lossListeners.delete(listener);
  }

  /** Statements that are under way have this long to end. */
  async close(withinSeconds: number): Promise<void> {
    if (!this.isOpen) return;
    const ended = Promise.withResolvers<void>();
    this.onLost(() => ended.resolve());
    const timer = setTimeout(() => this.destroy(), withinSeconds * 1000);
    this.isClosing = true;
    this.client.end(() => {});
    await ended.promise;
    clearTimeout(timer);
  }

  /** Statements that are under way fail. */
  destroy(): void {
    this.lose(new Error('the connection was closed'));
    this.client.connection.stream.destroy();
  }

  /** pg reports a lost connection, and a result that cannot be read, as plain errors. */
  explain(error: Error): Error {
    if (isFarewell(error)) {
      this.lose(error);
      // Citus reports the farewell of a worker although its own connection stays open.
      this.client.connection.stream.destroy();
    }
    if ((error as { code?: string }).code === diskIsFull) this.record?.of.diskWasFull();
    if (error instanceof DatabaseError) return error;
    return this.loss ?? (this.isClosing ? lossBecauseOf(null) : error);
  }

  private lose(cause: Error | null): void {
    if (this.loss !== null) return;
    this.loss = lossBecauseOf(cause);
    for (const listener of this.lossListeners) listener(this.loss);
    this.lossListeners.clear();
  }

  private nameOf(text: string): string {
    const name = this.names.get(text) ?? `s${++this.statements}`;
    this.names.delete(text);
    this.names.set(text, name);
    if (this.names.size > preparedMax) this.forget(this.names.keys().next().value!);
    return name;
  }

  /**
   * The server executes what was sent before, then deletes the prepared statement. Unlike DEALLOCATE, this message also
   * works in a transaction that has failed.
   */
  private forget(text: string): void {
    const name = this.names.get(text);
    if (name === undefined) return;
    const connection = this.client.connection as Client['connection'] & { parsedStatements: Record<string, string> };
    this.names.delete(text);
    delete connection.parsedStatements[name];
    connection.close({ type: 'S', name }, true);
  }

  /** A migration has changed the columns of the result. The statement was not executed. */
  private async repeatWithNewPlan(query: Query, error: Error): Promise<Rows> {
    this.forget(this.isDistributed ? withRowsReturned(query.text) : query.text);
    if (this.client.getTransactionStatus() !== 'I') throw error;
    return await this.run(query);
  }

  /**
   * Statements of the same turn leave together; each write would wake PostgreSQL, which waits for the next one. If there
   * are many, as for a group of many accounts, PostgreSQL begins with the first ones while we write the others.
   */
  private gatherWrites(): void {
    const { stream } = this.client.connection;
    if (this.gathered === null) {
      stream.cork();
      process.nextTick(() => {
        this.gathered = null;
        stream.uncork();
      });
    } else if (this.gathered % gatheredMax === 0) {
      stream.uncork();
      stream.cork();
    }
    this.gathered = (this.gathered ?? 0) + 1;
  }
}

export function lossBecauseOf(cause: Error | null): ConnectionError {
  if (cause instanceof DatabaseError) return new ConnectionError(cause.code ?? '', cause.message, { cause });
  const { code = 'CONNECTION_CLOSED', message = 'the connection was closed' } = (cause ?? {}) as NodeJS.ErrnoException;
  return new ConnectionError(code, message, { cause });
}

const insertsFromQuery = /^\s*insert into\b(?=.*\bselect\b)(?!.*\b(?:returning|on conflict)\b)/s;

/** Citus inserts the rows of a query with COPY, which row-level security refuses, unless the statement returns rows. */
function withRowsReturned(text: string): string {
  return insertsFromQuery.test(text) ? `${text} returning 1` : text;
}

function codeOf(error: Error): string {
  return (error as { code?: string }).code ?? error.name;
}

/** The result of several statements is that of the last one. */
function rowsOf(result: QueryResult | QueryResult[]): Rows {
  const { rows, rowCount, command } = Array.isArray(result) ? result.at(-1)! : result;
  return Object.assign(rows as Row[], { count: rowCount ?? 0, command });
}

/** The server closes the connection: it stops, or the transaction was idle or lasted for too long. */
export function isFarewell(error: unknown): boolean {
  return error instanceof DatabaseError && /^(08|57P0|25P03|25P04)/.test(error.code ?? '');
}

function isOutdatedPlan(error: Error): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
