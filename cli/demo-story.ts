import { setTimeout as sleep } from 'node:timers/promises';
import { LadingError } from '../sdk/client.ts';
import { exitCodes, Failure } from './command-line.ts';
import { cutShort, paint, widthMax, wrap, wrapJson } from './demo-layout.ts';
import type { DemoWire, Exchange, Json } from './demo-wire.ts';

/** Prints each step and its result, and checks the result. */
export interface Story {
  act(title: string, introduction: string): void;
  /** Performs one request and returns its response after checking it. */
  call(scene: CallScene): Promise<Json>;
  /** Performs a step that is not a request. */
  watch(scene: WatchedScene): Promise<void>;
}

interface Scene {
  title: string;
  /** The purpose of the step. */
  why: string;
}

export interface CallScene extends Scene {
  call(): Promise<unknown>;
  /** Selects the exchange to show if the client makes several; the last one by default. */
  about?: 'first';
  /** The expected content of the response; variable text is a pattern. */
  expects: { status?: number; body: Json };
  /** The part of the request, or of the data in the response, to show; all of it by default. */
  shownBody?: string;
  shown?(content: Json): Json | undefined;
}

export interface WatchedScene extends Scene {
  /** Prints the step while it runs, and returns the facts for JSON output. */
  happens(print: (line: string) => void): Promise<Json>;
  expects: Json;
}

export interface StoryOptions {
  json: boolean;
  /** The pause after each step. */
  pauseSeconds: number;
  write(text: string): void;
  wire: Pick<DemoWire, 'during'>;
}

const indent = 4;

export function makeStory({ json, pauseSeconds, write, wire }: StoryOptions): Story {
  let acts = 0;
  let steps = 0;

  function print(...lines: string[]): void {
    if (!json) write(`${lines.join('\n')}\n`);
  }

  function begin({ title, why }: Scene): void {
    steps++;
    print('', `${String(steps).padStart(2)}  ${paint.heading(title)}`, ...wrap(why, indent));
  }

  async function end({ title, why }: Scene, facts: Json, wrong: string | null): Promise<void> {
    if (json) write(`${JSON.stringify({ act: acts, step: steps, title, why, ...facts, ok: wrong === null })}\n`);
    if (wrong !== null) {
      print('', `${' '.repeat(indent)}${paint.wrong(`✗ Unexpected result: ${wrong}`)}`);
      throw new Failure(exitCodes.refused, `step ${steps} of the demo (${title}) failed: ${wrong}`);
    }
    await sleep(pauseSeconds * 1000);
  }

  return {
    act(title, introduction) {
      acts++;
      const name = ` ACT ${['ONE', 'TWO', 'THREE'][acts - 1]}  ${title} `;
      print('', '', paint.heading(`──${name}${'─'.repeat(Math.max(0, 96 - name.length))}`), ...wrap(introduction, 0));
    },
    async call(scene) {
      begin(scene);
      const exchanges = await wire.during(scene.call);
      const exchange = exchanges.at(scene.about === 'first' ? 0 : -1)!;
      const { path, headers, body, status, answer } = secretsCutShort(exchange);
      const wrong = differenceFrom({ status: 200, ...scene.expects }, { status, body: answer });
      print(...formatExchange({ path, headers, body, status, answer }, scene, wrong === null));
      await end(scene, { request: { method: 'POST', path, headers, body }, answer: { status, body: answer } }, wrong);
      return exchange.answer;
    },
    async watch(scene) {
      begin(scene);
      const facts = await scene.happens((line) => print(`${' '.repeat(indent)}${line}`)).catch(formatFailure);
      await end(scene, facts, facts.failure ?? differenceFrom(scene.expects, facts));
    },
  };
}

function formatFailure(error: unknown): { failure: string } {
  if (error instanceof Failure || error instanceof LadingError) return { failure: error.message };
  throw error;
}

function formatExchange(
  { path, headers, body, status, answer }: Exchange,
  { shownBody, shown }: CallScene,
  isRight: boolean,
): string[] {
  const margin = ' '.repeat(indent);
  const shownHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const colour = status < 400 ? paint.answered : paint.refused;
  const { verdict, content } = opened(answer);
  // If the result is wrong, the cause may be in a part that is usually hidden.
  const lines = wrapJson(isRight ? (shown ? shown(content) : content) : answer, indent + 2);
  const head = `← ${status} ${verdict}`;
  const fits = lines.length === 1 && head.length + lines[0]!.length <= widthMax;
  return [
    `${margin}${paint.sent(`→ POST ${path}`)}`,
    ...(shownHeaders.length > 0 ? wrap(shownHeaders.join('   '), indent + 2).map(paint.quiet) : []),
    ...wrapJson(shownBody ?? body, indent + 2),
    ...(fits ? [`${margin}${colour(head)}  ${lines[0]!.trimStart()}`] : [`${margin}${colour(head)}`, ...lines]),
  ];
}

function secretsCutShort(exchange: Exchange): Exchange {
  const isSecret = (key: string) => key === 'CheckValue' || key === 'access_token';
  return JSON.parse(JSON.stringify(exchange, (key, value) => (isSecret(key) ? cutShort(value) : value)));
}

/** Splits a response envelope into its verdict and its data. */
function opened(answer: Json): { verdict: string; content: Json } {
  if ('code' in answer)
    return {
      verdict: [answer.code, answer.success ? '' : answer.message].filter(Boolean).join(': '),
      content: answer.data,
    };
  return { verdict: answer.msg, content: answer.retval };
}

/** Finds the first difference from the expected value; fields that are not expected may have any value. */
export function differenceFrom(expected: Json, actual: Json, path = ''): string | null {
  if (expected instanceof RegExp) {
    return expected.test(String(actual)) ? null : `${path} should match ${expected}, but is ${JSON.stringify(actual)}`;
  }
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual
      ? null
      : `${path} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(actual)}`;
  }
  if (Array.isArray(expected) && (!Array.isArray(actual) || expected.length !== actual.length)) {
    return `${path} should have ${expected.length} entries, but is ${JSON.stringify(actual)}`;
  }
  for (const [key, part] of Object.entries(expected)) {
    const inside = Array.isArray(expected) ? `${path}[${key}]` : [path, key].filter(Boolean).join('.');
    const difference = differenceFrom(part, Object(actual)[key], inside);
    if (difference !== null) return difference;
  }
  return null;
}
