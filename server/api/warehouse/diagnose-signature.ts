import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import {
  bodyCandidates,
  type Candidate,
  keyCandidates,
  type Layout,
  layoutCandidates,
  type MessageParts,
  millisecondCandidates,
  timestampCandidates,
} from './diagnose-candidates.ts';
import { findSkew, type ReadSign, readSign, readSignedHeaders, readTimestamp, unpaddedHex } from './diagnose-headers.ts';
import { hasTooManyNodes } from './diagnose-json-styles.ts';
import { skewMaxSeconds } from './signature.ts';

/** A request that was refused with 401, as it came. */
export interface RefusedRequest {
  headers: IncomingHttpHeaders;
  url: string;
  /** null: larger than what is kept for a diagnosis. */
  body: Buffer | null;
  bodyBytes: number;
  refusedAt: Date;
}

/** Who could have been meant. */
export interface Partners {
  accounts: ReadonlyMap<string, KnownAccount>;
  /** The account of the client whose id came as the account number. */
  clientsAccount: KnownAccount | null;
}

export interface Diagnosis {
  /** A sentence with the cure for each mistake. */
  lines: string[];
  /** The account whose secret, present or former, made the signature; null: that is not proven. */
  provenBy: string | null;
}

export const diagnosisLimits = { hashesMax: 6000, hashedBytesMax: 16 * 1024 * 1024, accountsMax: 500 };

/** What a step has hashed. */
export interface HashedInStep {
  hashes: number;
  bytes: number;
}

/**
 * Names the mistakes in a refused request, a sentence with the cure for each. It does so in small steps: it gives back after each thing that
 * it tries, and is told whether there is time for another. Nothing of the body and nothing of a secret is in what it says.
 */
export function* diagnoseSignature(request: RefusedRequest, partners: Partners): Generator<HashedInStep, Diagnosis, boolean> {
  const { values, findings } = readSignedHeaders(request.headers, request.url);
  const { 'account-no': accountNo, timestamp, sign } = values;
  const meant = accountNo === null ? null : findAccount(accountNo, partners);
  const time = timestamp === null ? null : readTimestamp(timestamp);
  const nowSeconds = Math.floor(request.refusedAt.getTime() / 1000);
  const skew = time?.seconds == null ? null : findSkew(time.seconds, nowSeconds, skewMaxSeconds);
  const beforeSign = [...findings, meant?.finding, time?.finding, skew].filter((finding) => finding != null);
  if (accountNo === null || timestamp === null || sign === null) return unproven([...beforeSign, signOnceComplete]);

  const readings = readSign(sign);
  if (readings.length === 0)
    return unproven([...beforeSign, 'The header sign is no hash in any form we know: send 64 lowercase hex digits.']);
  if (request.body === null) return unproven([...beforeSign, ...present(readings[0]!.finding), wordTooLarge(request.bodyBytes)]);

  const parts = { body: request.body, path: request.url.split('?', 1)[0]!, accountNo, timestamp, seconds: time!.seconds };
  const search = yield* searchMatch(readings, parts, meant!.account, { ...partners, now: request.refusedAt });
  if (search.match === null) {
    const soFar = [...beforeSign, ...present(readings[0]!.finding)];
    return unproven([...soFar, wordNoMatch(request.body, soFar.length === 0, search.isComplete)]);
  }
  const wrong = [...beforeSign, ...present(search.match.reading.finding), ...wordMistakes(search.match)];
  const lines = [...wrong, wrong.length === 0 ? fitsNow : 'Nothing else is wrong: with this put right, the signature fits.'];
  return { lines, provenBy: signerOf(search.match, meant!.account, partners) };
}

function unproven(lines: string[]): Diagnosis {
  return { lines, provenBy: null };
}

/** Only an unaltered secret proves its account: a placeholder or the account number may be used by anybody. */
function signerOf({ key, layout }: Match, meant: KnownAccount | null, { accounts }: Partners): string | null {
  if (layout.value.secretless) return null;
  const hasMadeIt = ({ secrets, formerKeys }: KnownAccount) =>
    formerKeys.includes(key.value) || secrets.some((one) => one.key === key.value);
  const signer = meant !== null && hasMadeIt(meant) ? meant : firstAccounts(accounts).find(hasMadeIt);
  return signer?.accountNo ?? null;
}

const signOnceComplete = 'What was signed can be looked at once all three headers come.';
const fitsNow = 'The signature fits now: the account or its secret was changed at that moment. Send it again.';

function present(finding: string | null): string[] {
  return finding === null ? [] : [finding];
}

/** The account that came, or the one that must have been meant. */
function findAccount(given: string, { accounts, clientsAccount }: Partners): { account: KnownAccount | null; finding: string | null } {
  const exact = accounts.get(given);
  if (exact) return { account: exact, finding: null };
  const some = firstAccounts(accounts);
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const plainGiven = plain(given);
  const similar = some.find((account) => plain(account.accountNo) === plainGiven);
  if (similar) return meantInstead(similar, 'but for case, spaces or signs it is that of');
  const owner = some.find(({ tenants }) => tenants.has(given));
  if (owner) return meantInstead(owner, 'it is a warehouse_tpw_id of');
  if (clientsAccount) return meantInstead(clientsAccount, 'it is a ClientId of');
  return {
    account: null,
    finding: 'The account-no is not registered: send the number of the account, and check that this is the right environment.',
  };
}

function meantInstead(account: KnownAccount, why: string) {
  return { account, finding: `The account-no is not registered; ${why} account ${account.accountNo}: send that number, to the letter.` };
}

interface Dimensions {
  keys: Candidate<KeyObject>[];
  layouts: Candidate<Layout>[];
  timestamps: Candidate<string>[];
  bodies: Candidate<() => Buffer | null>[];
}

interface Match {
  reading: ReadSign;
  key: Candidate<KeyObject>;
  layout: Candidate<Layout>;
  timestamp: Candidate<string>;
  body: Candidate<() => Buffer | null>;
}

type Trial = Omit<Match, 'reading'>;

/** Tries what is likely before what is not, until something fits, everything is tried, or a limit is reached. */
function* searchMatch(
  readings: ReadSign[],
  parts: Pick<MessageParts, 'accountNo' | 'path' | 'timestamp' | 'body'> & { seconds: number | null },
  account: KnownAccount | null,
  others: Partners & { now: Date },
): Generator<HashedInStep, { match: Match | null; isComplete: boolean }, boolean> {
  let hashes = 0;
  let hashedBytes = 0;
  for (const trial of trialsInOrder(parts, account, others)) {
    const body = trial.body.value();
    for (const reading of body === null ? [] : readings) {
      const message = { ...parts, body: body!, timestamp: trial.timestamp.value, secret: trial.key.value };
      if (isSame(digestOf(reading, trial.layout.value, message), reading)) return { match: { ...trial, reading }, isComplete: true };
    }
    // Also where there is nothing new to hash: to find that out, the body was written anew.
    const step = body === null ? nothingHashed : { hashes: readings.length, bytes: body.length * readings.length };
    hashes += step.hashes;
    hashedBytes += step.bytes;
    const isTimeLeft = yield step;
    if (!isTimeLeft || hashes >= diagnosisLimits.hashesMax || hashedBytes >= diagnosisLimits.hashedBytesMax) {
      return { match: null, isComplete: false };
    }
  }
  return { match: null, isComplete: !hasTooManyNodes(parts.body) };
}

const nothingHashed: HashedInStep = { hashes: 0, bytes: 0 };

function isSame(digest: Buffer, reading: ReadSign): boolean {
  return reading.unpadded === undefined ? digest.equals(reading.digest) : unpaddedHex(digest) === reading.unpadded;
}

function digestOf({ algorithm, digest }: ReadSign, layout: Layout, parts: MessageParts): Buffer {
  const hash = layout.keyed ? createHmac(algorithm, layout.key?.(parts) ?? parts.secret) : createHash(algorithm);
  for (const part of layout.message(parts)) hash.update(part);
  // What came may be only the beginning.
  return hash.digest().subarray(0, digest.length);
}

/** For accounts that do not exist: as much is tried for them, so that the load of the service does not tell who exists. */
const nobodysKey = createSecretKey(randomBytes(32));

function* trialsInOrder(
  { accountNo, timestamp, seconds, body }: { accountNo: string; timestamp: string; seconds: number | null; body: Buffer },
  account: KnownAccount | null,
  others: Partners & { now: Date },
): Generator<Trial> {
  const isValid = (until: Date | null) => until === null || until > others.now;
  const secrets = account?.secrets ?? [{ key: nobodysKey, validUntil: null }];
  const valid = secrets.filter(({ validUntil }) => isValid(validUntil)).map(({ key }) => key);
  const ended = secrets.filter(({ validUntil }) => !isValid(validUntil)).map(({ key }) => key);
  const all: Dimensions = {
    keys: keyCandidates(accountNo, valid, [...ended, ...(account?.formerKeys ?? [])]),
    layouts: layoutCandidates,
    timestamps: timestampCandidates(timestamp, seconds),
    bodies: bodyCandidates(body),
  };
  const combinable = mapLists(all, (list) => list.filter(({ rare }) => !rare));
  const right = mapLists(all, (list) => list.filter(({ words }) => words === null));

  yield* trials(all, 0);
  yield* trials(all, 1);
  yield* trials({ ...right, keys: keysOfOthers(account, others) }, 1);
  yield* trials(combinable, 2);
  yield* trials({ ...right, timestamps: millisecondCandidates(seconds) }, 1);
}

function mapLists(dimensions: Dimensions, change: <Value>(list: Candidate<Value>[]) => Candidate<Value>[]): Dimensions {
  const { keys, layouts, timestamps, bodies } = dimensions;
  return { keys: change(keys), layouts: change(layouts), timestamps: change(timestamps), bodies: change(bodies) };
}

/** All ways in which exactly so many dimensions are not as they should be. */
function* trials({ keys, layouts, timestamps, bodies }: Dimensions, mistakes: number): Generator<Trial> {
  for (const key of keys) {
    const afterKey = mistakes - costOf(key);
    for (const layout of affordable(layouts, afterKey)) {
      const afterLayout = afterKey - costOf(layout);
      for (const timestamp of affordable(timestamps, afterLayout)) {
        const left = afterLayout - costOf(timestamp);
        for (const body of affordable(bodies, left)) if (costOf(body) === left) yield { key, layout, timestamp, body };
      }
    }
  }
}

function costOf({ words }: Candidate<unknown>): number {
  return words === null ? 0 : 1;
}

function affordable<Value>(list: Candidate<Value>[], mistakesLeft: number): Candidate<Value>[] {
  return list.filter((one) => costOf(one) <= mistakesLeft);
}

function keysOfOthers(account: KnownAccount | null, { accounts }: Partners): Candidate<KeyObject>[] {
  return firstAccounts(accounts)
    .filter(({ accountNo }) => accountNo !== account?.accountNo)
    .flatMap(({ accountNo, secrets }) => secrets.map(({ key }) => ({ words: wordOtherAccount(accountNo), value: key })));
}

function firstAccounts(accounts: Partners['accounts']): KnownAccount[] {
  const first: KnownAccount[] = [];
  for (const account of accounts.values()) {
    if (first.push(account) === diagnosisLimits.accountsMax) break;
  }
  return first;
}

function wordOtherAccount(accountNo: string): string {
  return `It was signed with the secret of account ${accountNo}. Send account-no and secret of the same account.`;
}

function wordMistakes({ key, layout, timestamp, body }: Match): string[] {
  return [
    ...(body.words === null ? [] : [`The body was signed ${body.words}. ${signWhatIsSent}`]),
    ...(layout.words === null ? [] : [`In what was signed, ${layout.words}. ${signBodyThenTimestamp}`]),
    ...(timestamp.words === null ? [] : [`The timestamp was signed ${timestamp.words}, not as it is in the header. ${takeTimeOnce}`]),
    ...present(key.words),
  ];
}

const signWhatIsSent = 'Serialise once, sign these bytes and send the same bytes.';
const signBodyThenTimestamp = 'Sign with HMAC-SHA256 the bytes of the body, directly followed by the timestamp, and nothing else.';
const takeTimeOnce = 'Take the time once, and use the same text in both places.';

function wordNoMatch(body: Buffer, isOtherwiseRight: boolean, isComplete: boolean): string {
  const right = isOtherwiseRight ? 'The headers are there, the account is registered, the clock and the form of sign are right. ' : '';
  const tried = isComplete
    ? 'The signature fits none of the usual mistakes'
    : 'The signature fits none of those mistakes that there was time to try';
  const form = isJsonText(body)
    ? ''
    : `What came is no JSON object${looksLikeForm(body) ? ' but looks like a form (name=value)' : ''}: send the JSON text that you sign. `;
  const ends = body.length === 0 ? '' : `, first byte ${hexByte(body[0]!)}, last byte ${hexByte(body.at(-1)!)}`;
  return (
    `${form}${right}${tried}: most likely the secret is another one, or the body was changed after it was signed. ` +
    `The body that came: ${body.length} bytes${ends}, SHA-256 ${createHash('sha256').update(body).digest('hex')}. Compare with what you signed.`
  );
}

function isJsonText(body: Buffer): boolean {
  return /^\s*[{[]/.test(body.subarray(0, beginningBytes).toString('latin1'));
}

function looksLikeForm(body: Buffer): boolean {
  return /^[\w.%+-]+=/.test(body.subarray(0, beginningBytes).toString('latin1'));
}

const beginningBytes = 100;

function hexByte(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

function wordTooLarge(bodyBytes: number): string {
  return `The body of ${bodyBytes} bytes is too large for more than this: try the same with a smaller one.`;
}
