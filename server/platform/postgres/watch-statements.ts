import type postgres from 'postgres';
import type { WireTypes } from './wire-types.ts';

type Sql = postgres.Sql<WireTypes>;

/** A statement of the driver (postgres 3.4.9), which reports its result through these two methods. */
export interface Statement {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Passes each statement to `onStatement` before it is sent. */
export function watchStatements(sql: Sql, onStatement: (statement: Statement) => void): Sql {
  function shown<Made>(made: Made): Made {
    // Identifiers and values that the driver builds are not statements.
    if (made instanceof Promise) onStatement(made as unknown as Statement);
    return made;
  }

  return new Proxy(sql, {
    apply: (target, self, args) => shown(Reflect.apply(target, self, args)),
    get: (target, name, self) =>
      name === 'unsafe'
        ? (...args: Parameters<Sql['unsafe']>) => shown(target.unsafe(...args))
        : Reflect.get(target, name, self),
  });
}

/**
 * A statement that fails after its first rows leaves the driver's row counter set, and the next result of that
 * connection begins with as many holes (github.com/porsager/postgres/issues/1181): an existing row would look like a
 * missing one.
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
