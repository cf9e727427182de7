import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import type { Message } from '../../messages/message.ts';
import type { KnownAccount } from '../domain/partners/account-directory.ts';
import { skewMaxSeconds } from '../domain/partners/request-signature.ts';
import { type Digest, findSkew, type Reading, readHeader, readSign, readTimestamp } from './headers.ts';
import { hasTooManyNodes } from './json-styles.ts';
import {
  bodyMistakes,
  clockMistakes,
  keyMistake,
  layoutMistakes,
  type Mistake,
  type Recipe,
  rightLayout,
  secretMistakes,
  timestampMistakes,
} from './mistakes.ts';

/** A request that was rejected with 401. */
export interface RefusedRequest {
  headers: IncomingHttpHeaders;
  url: string;
  /** null: too large to be kept for a diagnosis. */
  body: Buffer | null;
  bodyBytes: number;
  refusedAt: Date;
}

/** The accounts that the caller may belong to. */
export interface Partners {
  accounts: ReadonlyMap<string, KnownAccount>;
  /** The account of the client whose id was sent as the account number. */
  clientsAccount: KnownAccount | null;
}

export interface Diagnosis {
  findings: Message[];
  /** The account whose secret, present or former, made the signature; null: not proven. */
  provenBy: string | null;
}

export const diagnosisLimits = { hashesMax: 6000, hashedBytesMax: 16 * 1024 * 1024, accountsMax: 500 };

export interface HashedInStep {
  hashes: number;
  bytes: number;
}

/**
 * Finds the mistakes in a rejected request: it repeats each known mistake until one yields the signature that was sent. The caller runs it step by step,
 * and passes false when there is no time for another step.
 */
export function* diagnoseSignature(
  request: RefusedRequest,
  partners: Partners,
): Generator<HashedInStep, Diagnosis, boolean> {
  const read = (name: 'account-no' | 'timestamp' | 'sign') => readHeader(name, request.headers, request.url);
  const [accountNo, timestamp, sign] = [read('account-no'), read('timestamp'), read('sign')];
  const account = accountNo.value === null ? null : findAccount(accountNo.value, partners);
  const time = timestamp.value === null ? null : readTimestamp(timestamp.value);
  const nowSeconds = Math.floor(request.refusedAt.getTime() / 1000);
  const skew = time?.value == null ? [] : findSkew(time.value, nowSeconds, skewMaxSeconds);
  const inHeaders = [accountNo, timestamp, sign, account, time].flatMap((reading) => reading?.findings ?? []);
  const findings = [...inHeaders, ...skew];
  const unproven = (...last: Message[]) => ({ findings: [...findings, ...last], provenBy: null });
  if (account === null || time === null || sign.value === null) return unproven(diagnosis('headers_incomplete'));

  const digests = readSign(sign.value);
  if (digests.length === 0) return unproven(diagnosis('sign_unreadable'));
  const { body } = request;
  if (body === null)
    return unproven(...digests[0]!.findings, diagnosis('body_too_large', { bytes: request.bodyBytes }));

  const sent = { body, timestamp: timestamp.value!, seconds: time.value };
  const trials = listTrials(sent, account.value, partners, request.refusedAt);
  const search = yield* searchMatch(digests, trials, !hasTooManyNodes(body));
  if (search.match === null) {
    const areHeadersRight = findings.length === 0 && digests[0]!.findings.length === 0;
    return unproven(...digests[0]!.findings, ...describeNoMatch(body, areHeadersRight, search.isComplete));
  }
  const wrong = [...findings, ...search.match.digest.findings, ...search.match.mistakes.map(({ finding }) => finding)];
  return {
    findings: [...wrong, diagnosis(wrong.length === 0 ? 'matches_now' : 'rest_is_right')],
    provenBy: signerOf(search.match, account.value, partners),
  };
}

/** The account whose number was sent, or the one that was probably meant. */
function findAccount(given: string, { accounts, clientsAccount }: Partners): Reading<KnownAccount | null> {
  const exact = accounts.get(given);
  if (exact) return { value: exact, findings: [] };
  const meant = (account: KnownAccount, code: 'account_similar' | 'account_is_tenant' | 'account_is_client') => ({
    value: account,
    findings: [diagnosis(code, { account: account.accountNo })],
  });
  const some = firstAccounts(accounts);
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const plainGiven = plain(given);
  const similar = some.find((account) => plain(account.accountNo) === plainGiven);
  if (similar) return meant(similar, 'account_similar');
  const owner = some.find(({ tenants }) => tenants.has(given));
  if (owner) return meant(owner, 'account_is_tenant');
  if (clientsAccount) return meant(clientsAccount, 'account_is_client');
  return { value: null, findings: [diagnosis('account_unknown')] };
}

function firstAccounts(accounts: Partners['accounts']): KnownAccount[] {
  return [...accounts.values()].slice(0, diagnosisLimits.accountsMax);
}

interface Trial {
  recipe: Recipe;
  mistakes: Mistake[];
}

type Match = Trial & { digest: Reading<Digest> };

function* searchMatch(
  digests: Reading<Digest>[],
  trials: Iterable<Trial | null>,
  isBodyReadable: boolean,
): Generator<HashedInStep, { match: Match | null; isComplete: boolean }, boolean> {
  const { hashesMax, hashedBytesMax } = diagnosisLimits;
  let hashes = 0;
  let hashedBytes = 0;
  for (const trial of trials) {
    const digest = trial && digests.find(({ value }) => value.matches(digestOf(value, trial.recipe)));
    if (digest) return { match: { ...trial, digest }, isComplete: true };
    // An assumed mistake that changes nothing in this request still counts as a step, because finding that out takes time.
    const step = trial ? { hashes: digests.length, bytes: trial.recipe.body.length * digests.length } : nothingHashed;
    hashes += step.hashes;
    hashedBytes += step.bytes;
    const isTimeLeft = yield step;
    if (!isTimeLeft || hashes >= hashesMax || hashedBytes >= hashedBytesMax) return { match: null, isComplete: false };
  }
  return { match: null, isComplete: isBodyReadable };
}

const nothingHashed: HashedInStep = { hashes: 0, bytes: 0 };

function digestOf({ algorithm }: Digest, { key, body, timestamp, layout }: Recipe): Buffer {
  const hmac = createHmac(algorithm, key);
  for (const part of layout(body, timestamp)) hmac.update(part);
  return hmac.digest();
}

/** Stands in for accounts that do not exist: the load of the service must not reveal whether an account exists. */
const nobodysKey = createSecretKey(randomBytes(32));

/** Without a mistake, then the mistakes one at a time, then the usual ones in pairs; null for a mistake that makes no difference. */
function* listTrials(
  { body, timestamp, seconds }: { body: Buffer; timestamp: string; seconds: number | null },
  account: KnownAccount | null,
  { accounts }: Partners,
  now: Date,
): Generator<Trial | null> {
  const secrets = account?.secrets ?? [{ key: nobodysKey, validUntil: null }];
  const isValid = ({ validUntil }: { validUntil: Date | null }) => validUntil === null || validUntil > now;
  const valid = secrets.filter(isValid).map(({ key }) => key);
  const ended = secrets.filter((secret) => !isValid(secret)).map(({ key }) => key);
  const right = valid.map((key): Recipe => ({ key, body, timestamp, layout: rightLayout }));
  const bodies = bodyMistakes(body);
  const others = [
    ...timestampMistakes(timestamp, seconds),
    ...layoutMistakes,
    ...secretMistakes(valid[0], [...ended, ...(account?.formerKeys ?? [])]),
  ];
  const usual = [...bodies, ...others];
  // If the account has no valid secret, only a former one can explain the signature.
  const basis = right.length > 0 ? right : [{ key: nobodysKey, body, timestamp, layout: rightLayout }];

  for (const recipe of right) yield { recipe, mistakes: [] };
  for (const mistake of [...usual, ...keysOfOthers(account, accounts)]) yield* tryMistakes(basis, [mistake]);
  for (const [index, first] of usual.entries())
    for (const second of usual.slice(index + 1))
      if (first.part !== second.part) yield* tryMistakes(basis, [first, second]);
  for (const mistake of clockMistakes(seconds)) yield* tryMistakes(basis, [mistake]);
}

function* tryMistakes(basis: Recipe[], mistakes: Mistake[]): Generator<Trial | null> {
  const changes = mistakes.map(({ change }) => change());
  if (changes.includes(null)) return yield null;
  const isKeyChanged = mistakes.some(({ part }) => part === 'key');
  for (const recipe of isKeyChanged ? basis.slice(0, 1) : basis)
    yield { recipe: Object.assign({}, recipe, ...changes), mistakes };
}

function keysOfOthers(account: KnownAccount | null, accounts: Partners['accounts']): Mistake[] {
  return firstAccounts(accounts)
    .filter(({ accountNo }) => accountNo !== account?.accountNo)
    .flatMap(({ accountNo, secrets }) =>
      secrets.map(({ key }) => keyMistake(diagnosis('secret_of_other', { account: accountNo }), key)),
    );
}

/** Only an unaltered secret proves its account. */
function signerOf({ recipe }: Match, meant: KnownAccount | null, { accounts }: Partners): string | null {
  const isSigner = ({ secrets, formerKeys }: KnownAccount) =>
    formerKeys.includes(recipe.key) || secrets.some(({ key }) => key === recipe.key);
  const signer = meant !== null && isSigner(meant) ? meant : firstAccounts(accounts).find(isSigner);
  return signer?.accountNo ?? null;
}

function describeNoMatch(body: Buffer, areHeadersRight: boolean, isComplete: boolean): Message[] {
  const beginning = body.subarray(0, 100).toString('latin1');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return [
    ...(/^\s*[{[]/.test(beginning)
      ? []
      : [diagnosis(/^[\w.%+-]+=/.test(beginning) ? 'body_is_form' : 'body_not_json')]),
    diagnosis(isComplete ? 'no_match' : 'no_match_in_time'),
    ...(areHeadersRight ? [diagnosis('headers_right')] : []),
    diagnosis('body_received', { bytes: body.length, sha256 }),
  ];
}
