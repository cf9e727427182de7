import type { Message, Param } from '../../../messages/message.ts';
import { maskAddress, masked, maskName, maskPhone } from './mask-recipient.ts';
import type { Recipient } from './recipient.ts';

/** Shorter values, such as a number of a label, occur in texts that have nothing to do with the recipient. */
const labelValueMin = 4;
const nameMin = 2;
const phoneDigitsMin = 7;
const rulesMax = 2000;

/**
 * Returns a function that masks the details of these recipients in a text that somebody else wrote: the response of a
 * receiver, the reason of a warehouse, a note of an operator. It finds values as the partner sent them, phone numbers
 * also with other separators, and values that are escaped as in JSON.
 */
export function makeRedact(recipients: (Recipient | null)[]): (text: string) => string {
  const rules = recipients.flatMap((recipient) => (recipient === null ? [] : rulesOf(recipient)));
  // Each rule reads the whole text. Nobody needs the rest of it so much that the service may stand still.
  if (rules.length > rulesMax) return () => masked;
  // A long value may contain a short one, which must not be replaced first.
  const ordered = rules.toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, { pattern, mask }) => rest.replaceAll(pattern, () => mask), text);
}

/** The same for a message: only its values are changed, never its code. */
export function redactMessage<Reason extends Message | string | null>(
  reason: Reason,
  redact: (text: string) => string,
): Reason {
  return (reason === null ? null : redactParam(reason, redact)) as Reason;
}

function redactParam(param: Param, redact: (text: string) => string): Param {
  if (typeof param === 'number') return param;
  if (typeof param === 'string') return redact(param);
  if (Array.isArray(param)) return param.map((one) => redactParam(one, redact) as Message);
  const { code, params = {} } = param;
  const changed = Object.entries(params).map(([name, value]) => [name, redactParam(value, redact)]);
  return { code, ...(param.params ? { params: Object.fromEntries(changed) } : {}) };
}

interface Rule {
  length: number;
  pattern: RegExp;
  mask: string;
}

function rulesOf(recipient: Recipient): Rule[] {
  const { name, customer_name, phone, address, city, note, store_pickup_label_data: label } = recipient;
  const rules: Rule[] = [];
  for (const one of [name, customer_name])
    if (one && [...one.trim()].length >= nameMin) rules.push(textRule(one, maskName(one)));
  for (const one of [address, city])
    if (one && maskAddress(one) !== one.normalize('NFKC').trim()) rules.push(textRule(one, maskAddress(one)));
  if (note?.trim()) rules.push(textRule(note, masked));
  for (const value of new Set(leavesOf(label).map((leaf) => leaf.trim())))
    if ([...value].length >= labelValueMin) rules.push(textRule(value, masked));
  const digits = phone?.normalize('NFKC').replaceAll(/\D/g, '') ?? '';
  if (phone && digits.length >= phoneDigitsMin) rules.push(textRule(phone, maskPhone(phone)), phoneRule(digits));
  return rules;
}

function textRule(value: string, mask: string): Rule {
  const text = value.trim();
  const forms = new Set([text, JSON.stringify(text).slice(1, -1), escaped(text)]);
  return { length: text.length, pattern: new RegExp([...forms].map(literally).join('|'), 'giu'), mask };
}

/** Not within a longer word or number. */
function literally(text: string): string {
  const before = /^[A-Za-z0-9]/.test(text) ? '(?<![A-Za-z0-9])' : '';
  const after = /[A-Za-z0-9]$/.test(text) ? '(?![A-Za-z0-9])' : '';
  return before + text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + after;
}

/** Escapes every character outside ASCII, the way some programs write JSON: 王 becomes \u738b. */
function escaped(text: string): string {
  const ascii = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]/g, ascii);
}

/** The number with any separators, and in its international form. */
function phoneRule(digits: string): Rule {
  const national = digits.replace(/^(?:886|0)/, '');
  const pattern = new RegExp(
    `(?<!\\d)(?:(?:\\+?886|0)[-\\s().]{0,3})?${[...national].join('[-\\s().]{0,3}')}(?!\\d)`,
    'g',
  );
  return { length: digits.length, pattern, mask: maskPhone(digits) };
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
