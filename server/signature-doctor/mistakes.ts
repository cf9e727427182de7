import { isUtf8 } from 'node:buffer';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import type { Message } from '../../messages/message.ts';
import { jsonStyles, readBody } from './json-styles.ts';

/** The ingredients of a signature. */
export interface Recipe {
  key: KeyObject;
  body: Buffer;
  timestamp: string;
  layout(body: Buffer, timestamp: string): (Buffer | string)[];
}

/** A mistake that the signer may have made, and how to repeat it. */
export interface Mistake {
  finding: Message;
  /** Two mistakes in the same part exclude each other. */
  part: keyof Recipe;
  /** null where the mistake makes no difference for this request. */
  change(): Partial<Recipe> | null;
}

export const rightLayout: Recipe['layout'] = (body, timestamp) => [body, timestamp];

export const layoutMistakes: Mistake[] = (
  [
    [diagnosis('timestamp_first'), (body, timestamp) => [timestamp, body]],
    [diagnosis('body_only'), (body) => [body]],
    [diagnosis('line_break_after'), (body, timestamp) => [body, timestamp, '\n']],
    [diagnosis('line_break_after'), (body, timestamp) => [body, timestamp, '\r\n']],
    ...['.', '\n', ':', '|', '&'].flatMap((text): [Message, Recipe['layout']][] => {
      const separator = text === '\n' ? '\\n' : text;
      return [
        [diagnosis('separator_between', { separator }), (body, timestamp) => [body, text, timestamp]],
        [diagnosis('timestamp_first_separator', { separator }), (body, timestamp) => [timestamp, text, body]],
      ];
    }),
  ] satisfies [Message, Recipe['layout']][]
).map(([way, layout]) => ({
  finding: diagnosis('layout_differs', { way }),
  part: 'layout',
  change: () => ({ layout }),
}));

/** The second argument is the body as text. */
const bodyChanges: [way: Message, change: (body: Buffer, text: string) => Buffer | string | null][] = [
  [diagnosis('body_line_break_added'), (_body, text) => `${text}\n`],
  [diagnosis('body_line_break_added'), (_body, text) => `${text}\r\n`],
  [diagnosis('body_line_break_removed'), (_body, text) => text.replace(/\r?\n$/, '')],
  [diagnosis('body_without_bom'), (_body, text) => text.replace(/^\ufeff/, '')],
  [diagnosis('body_trimmed'), (_body, text) => text.trim()],
  [diagnosis('body_empty'), () => ''],
  [diagnosis('body_lf'), (_body, text) => text.replaceAll('\r\n', '\n')],
  [diagnosis('body_crlf'), (_body, text) => text.replace(/(?<!\r)\n/g, '\r\n')],
  [diagnosis('body_on_one_line'), (_body, text) => text.replace(/[\r\n]/g, '')],
  [diagnosis('body_quoted'), (_body, text) => JSON.stringify(text)],
  [diagnosis('body_sent_quoted'), (_body, text) => unquoted(text)],
  [diagnosis('body_sent_encoded_twice'), (_body, text) => decodedOnce(text)],
  [diagnosis('body_latin1'), (_body, text) => Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1')],
  [diagnosis('body_latin1'), (_body, text) => text.replace(/[^\0-\x7f]/g, '?')],
  [diagnosis('body_encoded_twice'), (body) => body.toString('latin1')],
];

function unquoted(text: string): string | null {
  if (!text.startsWith('"')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function decodedOnce(text: string): Buffer | null {
  if (/[^\0-\xff]/.test(text)) return null;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes : null;
}

/** Another way to write a body seldom needs more bytes than this. Small bodies may grow more. */
const growthMax = 4;
const smallMaxBytes = 16_384;

/** Each change is made once, when it is first needed. A change that yields a body tried before makes no difference. */
export function bodyMistakes(body: Buffer): Mistake[] {
  const made: Buffer[] = [body];
  const text = once(() => body.toString('utf8'));
  const json = once(() => readBody(body));
  const lengthMax = Math.max(growthMax * body.length, smallMaxBytes);

  function mistake(way: Message, make: () => Buffer | string | null): Mistake {
    const change = once(() => {
      const changed = make();
      const bytes = typeof changed === 'string' ? Buffer.from(changed) : changed;
      if (bytes === null || bytes.length > lengthMax || made.some((other) => other.equals(bytes))) return null;
      made.push(bytes);
      return { body: bytes };
    });
    return { finding: diagnosis('body_differs', { way }), part: 'body', change };
  }

  return [
    ...jsonStyles.map(({ way, write }) => mistake(way, () => (json() === null ? null : write(json()!)))),
    ...bodyChanges.map(([way, change]) => mistake(way, () => change(body, text()))),
  ];
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const secretChanges: [way: Message, change: (secret: string) => Buffer | string | null][] = [
  [diagnosis('secret_line_break'), (secret) => `${secret}\n`],
  [diagnosis('secret_line_break'), (secret) => `${secret}\r\n`],
  [diagnosis('secret_line_break'), (secret) => `${secret}\r`],
  [diagnosis('secret_space'), (secret) => `${secret} `],
  [diagnosis('secret_trimmed'), (secret) => secret.trim()],
  [diagnosis('secret_quoted'), (secret) => `"${secret}"`],
  [diagnosis('secret_quoted'), (secret) => `'${secret}'`],
  [diagnosis('secret_without_prefix'), withoutPrefix],
  [diagnosis('secret_decoded'), (secret) => Buffer.from(secret, 'base64')],
  [diagnosis('secret_decoded'), (secret) => Buffer.from(withoutPrefix(secret) ?? '', 'base64')],
  [diagnosis('secret_decoded'), (secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : null)],
  [diagnosis('secret_base64'), (secret) => Buffer.from(secret).toString('base64')],
];

function withoutPrefix(secret: string): string | null {
  return /^[a-z]+_(.+)$/s.exec(secret)?.[1] ?? null;
}

/**
 * A changed secret that is much shorter is not tried: a sender who guesses a short key would learn a part of the
 * secret. Decoding from hex halves the length, no usual mistake does more.
 */
export function secretMistakes(current: KeyObject | undefined, former: KeyObject[]): Mistake[] {
  const secret = current?.export();
  const changed = secretChanges.flatMap(([way, change]): [Message, KeyObject][] => {
    const variant = secret === undefined ? null : change(secret.toString('utf8'));
    const bytes = typeof variant === 'string' ? Buffer.from(variant) : variant;
    if (bytes === null || bytes.length * 2 < secret!.length || bytes.equals(secret!)) return [];
    return [[diagnosis('secret_differs', { way }), createSecretKey(bytes)]];
  });
  return [
    ...former.map((key): [Message, KeyObject] => [diagnosis('secret_former'), key]),
    ...changed,
    [diagnosis('secret_empty'), createSecretKey(Buffer.alloc(0))] as const,
  ].map(([finding, key]) => keyMistake(finding, key));
}

export function keyMistake(finding: Message, key: KeyObject): Mistake {
  return { finding, part: 'key', change: () => ({ key }) };
}

export function timestampMistakes(header: string, seconds: number | null): Mistake[] {
  if (seconds === null) return [];
  return [
    timestampMistake(diagnosis('signed_seconds'), String(seconds)),
    timestampMistake(diagnosis('signed_milliseconds'), `${seconds}000`),
  ].filter(({ change }) => change()?.timestamp !== header);
}

const secondsApartMax = 5;

/** The clock was read twice, or the milliseconds were cut off. These are too many to combine with other mistakes. */
export function clockMistakes(seconds: number | null): Mistake[] {
  if (seconds === null) return [];
  const apart = Array.from({ length: secondsApartMax }, (_, index) => index + 1).flatMap((distance) => [
    timestampMistake(diagnosis('signed_earlier', { seconds: distance }), String(seconds - distance)),
    timestampMistake(diagnosis('signed_later', { seconds: distance }), String(seconds + distance)),
  ]);
  const milliseconds = Array.from({ length: 999 }, (_, index) =>
    timestampMistake(diagnosis('signed_milliseconds'), `${seconds}${String(index + 1).padStart(3, '0')}`),
  );
  return [...apart, ...milliseconds];
}

function timestampMistake(way: Message, timestamp: string): Mistake {
  return { finding: diagnosis('timestamp_differs', { way }), part: 'timestamp', change: () => ({ timestamp }) };
}
