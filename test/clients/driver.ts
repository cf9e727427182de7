import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { provideInterpreter } from '../../tools/install-interpreters.ts';

/** A client in another language, of which the programs are given in test/clients/driver.*. */
export interface Language {
  title: string;
  program: 'php' | 'python3';
  folder: string;
  driver: string;
  /** The name of a method or an option of the SDK in this language. */
  named(name: string): string;
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const languages: Language[] = [
  { title: 'PHP', program: 'php', folder: 'clients/php', driver: 'driver.php', named: (name) => name },
  { title: 'Python', program: 'python3', folder: 'clients/python', driver: 'driver.py', named: snakeCase },
];

export type Kind = 'warehouse' | 'main' | 'logistics';
// biome-ignore lint/suspicious/noExplicitAny: the types of results are checked by their values.
type Result = any;

export interface Failure {
  kind: string;
  message: string;
  reason: string;
  status: number | null;
  code: string | null;
  trace_id: string | null;
  retry_after_seconds: number | null;
  errors: { code: string; path: string; message: string; doc_url: string }[];
}

export interface ClientOf {
  kind: Kind;
  url: string;
  credentials: string[];
  /** Options of every client, by their names in the SDK. */
  options?: Record<string, unknown>;
  /** Further parameters of its constructor. */
  named?: Record<string, unknown>;
}

export interface Driver {
  language: Language;
  client(of: ClientOf): (method: string, ...args: unknown[]) => Promise<Result>;
  ask(command: { do: string } & Record<string, unknown>): Promise<Result>;
}

/** An error of the driven client. */
export class DrivenError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`${failure.kind}: ${failure.message}`);
    this.failure = failure;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a program in another language that carries out calls with its client. */
export async function startDriver(language: Language): Promise<Driver> {
  await provideInterpreter(language.program);
  const program = spawn(language.program, [`test/clients/${language.driver}`, language.folder], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => program.kill());
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  let previous: Promise<unknown> = Promise.resolve();

  async function exchange(command: object): Promise<Result> {
    program.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    assert.ok(!done, `the program in ${language.title} ended`);
    const { ok, error } = JSON.parse(value);
    if (error) throw new DrivenError(error);
    return ok;
  }
  function ask(command: object): Promise<Result> {
    const answer = previous.then(() => exchange(command));
    previous = answer.catch(() => {});
    return answer;
  }

  let clients = 0;
  const translated = (names: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [language.named(name), value]));
  return {
    language,
    ask,
    client({ options, named, ...of }) {
      const about = { ...of, client: String(clients++), options: translated(options), named: translated(named) };
      return (method, ...args) => ask({ do: 'call', ...about, method: language.named(method), args });
    },
  };
}

/** Expects an error and returns it. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    (answer) => assert.fail(`no error: ${JSON.stringify(answer)}`),
    (thrown) => thrown,
  );
  if (!(error instanceof DrivenError)) throw error;
  return error.failure;
}
