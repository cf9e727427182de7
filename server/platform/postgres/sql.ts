import { escapeIdentifier } from 'pg';
import type { RowArray } from './row-array.ts';
import { castOf, Json, type Scalar, type WireValue, writeValue } from './wire-types.ts';

/** A row whose columns the caller knows. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a column is known only to its statement.
export type Row = Record<string, any>;

/** The rows of a result. `count` is the number of rows that were found or changed. */
export type Rows<Result extends readonly object[] = Row[]> = Result & { count: number; command: string };

export type Parameter = Scalar | Json | RowArray | readonly Scalar[];
export type Value = Parameter | Fragment;

/** A statement as it is sent. */
export interface Query {
  text: string;
  values: WireValue[];
  /** Parsed once per connection. All others are parsed each time; without values they may be several statements. */
  isPrepared: boolean;
}

/** The accounts whose rows a statement may see and change, as PostgreSQL writes an array: `{7,12}`. */
export type AccountList = string & { readonly isAccountList: true };

export function listOfAccounts(accountIds: readonly number[]): AccountList {
  return `{${accountIds.join()}}` as AccountList;
}

/** For work on tables that belong to no account. */
export const noAccounts: readonly number[] = [];

export type Run = (query: Query, accounts: AccountList) => Promise<Rows>;

/** A statement, or a part of one: each value in a template is a parameter, unless it is a fragment itself. */
export interface Sql {
  <Result extends readonly object[] = Row[]>(template: TemplateStringsArray, ...values: Value[]): Statement<Result>;
  /** A name in quotation marks. */
  (name: string): Fragment;
  /** Text of our own, never of a caller; the values are its parameters `$1`, `$2`. */
  unsafe<Result extends readonly object[] = Row[]>(text: string, values?: readonly Parameter[]): Statement<Result>;
  /** The same, for a text that is sent often: it is parsed once per connection. */
  prepared<Result extends readonly object[] = Row[]>(text: string, values: readonly Parameter[]): Statement<Result>;
  json(value: unknown): Json;
  /** Statements that see and change the rows of these accounts, on the same connection or in the same transaction. */
  forAccounts(accountIds: readonly number[]): this;
  /** Whether the tables are on several servers (Citus). A statement then has to show its account, or it is sent to all. */
  readonly isDistributed: boolean;
}

/** The same within a transaction, and only as long as it lasts. */
export interface Tx extends Sql {
  readonly isTransaction: true;
}

/** Part of a statement. */
export class Fragment {
  private readonly strings: readonly string[];
  private readonly values: readonly Value[];

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Returns the text and appends the values to `parameters`. */
  write(parameters: WireValue[]): string {
    let text = this.strings[0]!;
    for (let index = 0; index < this.values.length; index++) {
      const value = this.values[index]!;
      if (value instanceof Fragment) text += value.write(parameters);
      else text += `$${parameters.push(writeValue(value))}${castOf(value)}`;
      text += this.strings[index + 1];
    }
    return text;
  }
}

interface Sending {
  run: Run;
  accounts: AccountList;
  isPrepared: boolean;
  /** Those that the text names itself. */
  parameters: readonly Parameter[];
}

// biome-ignore lint/suspicious/noExplicitAny: as in the type of Promise.
type Failure = any;

/** Sent when it is awaited or executed, once; as a part of another statement, never. */
export class Statement<Result extends readonly object[] = Row[]> extends Fragment implements Promise<Rows<Result>> {
  readonly [Symbol.toStringTag] = 'Statement';
  private readonly how: Sending;
  private running: Promise<Rows<Result>> | null;

  constructor(strings: readonly string[], values: readonly Value[], how: Sending) {
    super(strings, values);
    this.how = how;
    this.running = null;
  }

  execute(): Promise<Rows<Result>> {
    this.running ??= this.send();
    return this.running;
  }

  private send(): Promise<Rows<Result>> {
    try {
      const { run, accounts, isPrepared, parameters } = this.how;
      const values = parameters.map(writeValue);
      const text = this.write(values);
      return run({ text, values, isPrepared }, accounts) as Promise<Rows<never>>;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited.
  then<A = Rows<Result>, B = never>(
    onDone?: ((rows: Rows<Result>) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: Failure) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onDone, onFailed);
  }

  catch<B = never>(onFailed?: ((reason: Failure) => B | PromiseLike<B>) | null): Promise<Rows<Result> | B> {
    return this.execute().catch(onFailed);
  }

  finally(onSettled?: (() => void) | null): Promise<Rows<Result>> {
    return this.execute().finally(onSettled);
  }
}

/** Statements that are sent with `run`. */
export function makeSql(run: Run, accountIds = noAccounts, isDistributed = false): Sql {
  const accounts = listOfAccounts(accountIds);
  const prepared: Sending = { run, accounts, isPrepared: true, parameters: [] };
  const sql = (first: TemplateStringsArray | string, ...values: Value[]) =>
    typeof first === 'string' ? new Fragment([escapeIdentifier(first)], []) : new Statement(first, values, prepared);
  return Object.assign(sql as Sql, {
    unsafe: <Result extends readonly object[]>(text: string, parameters: readonly Parameter[] = []) =>
      new Statement<Result>([text], [], { run, accounts, isPrepared: false, parameters }),
    prepared: <Result extends readonly object[]>(text: string, parameters: readonly Parameter[]) =>
      new Statement<Result>([text], [], { ...prepared, parameters }),
    json: (value: unknown) => new Json(value),
    forAccounts: (others: readonly number[]) => makeSql(run, others, isDistributed),
    isDistributed,
  });
}

export function makeTx(run: Run, accountIds: readonly number[], isDistributed = false): Tx {
  return Object.assign(makeSql(run, accountIds, isDistributed), {
    isTransaction: true as const,
    forAccounts: (others: readonly number[]) => makeTx(run, others, isDistributed),
  });
}

/** A part of a statement that is built apart from it. */
export function fragment(template: TemplateStringsArray, ...values: Value[]): Fragment {
  return new Fragment(template, values);
}

/** `("a", "b") values ($1, $2)` */
export function rowValues(row: Record<string, Value>): Fragment {
  const columns = Object.keys(row).map(escapeIdentifier).join(', ');
  const values = Object.values(row);
  return new Fragment([`(${columns}) values (`, ...values.slice(1).map(() => ', '), ')'], values);
}

/** `"a" = $1, "b" = $2` */
export function assignments(row: Record<string, Value>): Fragment {
  const names = Object.keys(row).map(escapeIdentifier);
  return new Fragment([...names.map((name, index) => `${index === 0 ? '' : ', '}${name} = `), ''], Object.values(row));
}
