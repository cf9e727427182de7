import type { Sql } from './database.ts';

/** A statement of the driver (postgres 3.4.9), which tells it by these two what became of it. */
export interface Statement {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Statements as ever, but `onStatement` has each of them in its hands before it is sent. */
export function watchStatements(sql: Sql, onStatement: (statement: Statement) => void): Sql {
  function shown<Made>(made: Made): Made {
    // What the driver makes out of names and values is no statement.
    if (made instanceof Promise) onStatement(made as unknown as Statement);
    return made;
  }

  return new Proxy(sql, {
    apply: (target, self, args) => shown(Reflect.apply(target, self, args)),
    get: (target, name, self) =>
      name === 'unsafe' ? (...args: Parameters<Sql['unsafe']>) => shown(target.unsafe(...args)) : Reflect.get(target, name, self),
  });
}

/**
 * A statement that fails after its first rows leaves the driver counting, and the next result of that connection begins with as many holes
 * (github.com/porsager/postgres/issues/1181): a row that is there would look like one that is not.
 */
export function withWholeResults(sql: Sql): Sql {
  return watchStatements(sql, (statement) => {
    const { resolve } = statement;
    statement.resolve = (result) => resolve(Array.isArray(result) ? withoutHoles(result) : result);
  });
}

function withoutHoles(result: unknown[]): unknown[] {
  const holes = result.findIndex((_, index) => index in result);
  if (holes > 0) result.splice(0, holes);
  return result;
}
