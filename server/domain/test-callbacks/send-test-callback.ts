import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findCallbackAddresses } from '../callbacks/account-callback-queries.ts';
import { currentTarget } from '../callbacks/account-callbacks.ts';
import {
  type CallbackTarget,
  type FormatCallback,
  type NotifiedDocument,
  owedTest,
  type TestCallbackRules,
} from '../callbacks/callback.ts';
import { oweTest } from '../callbacks/owed-callback-queries.ts';
import type { KnownAccount } from '../partners/account-directory.ts';
import { accountSigner } from '../partners/callback-signer.ts';
import {
  countRecentTests,
  findOnlyKey,
  findTestedDocument,
  hasCallbackSecret,
  lockTestsOf,
  takeTestId,
} from './test-callback-queries.ts';
import { documentAfter, partsOfEvent, type TestedDocument } from './test-document.ts';

const secondsPerMinute = 60;

export interface TestCallbackRequest {
  account: Pick<KnownAccount, 'accountId' | 'environment'>;
  event: string;
  /** null: the callback has the example body of its event. */
  documentNo: string | null;
  /** null: the address that callbacks of the document, or of the account, have. */
  callbackUrl: string | null;
  /** For callers with an API key: it signs, and only documents of its channel can be named. */
  keyName: string | null;
}

export type TestCallbackOutcome =
  | { kind: 'queued'; eventId: string; documentNo: string; url: string }
  | { kind: 'document_not_found' }
  /** Only a UAT account may choose the address of a test. */
  | { kind: 'address_of_production' }
  /** Neither the document nor the account has an address for callbacks. */
  | { kind: 'no_address' }
  /** It is not clear which secret must sign. */
  | { kind: 'no_secret' }
  | { kind: 'too_many'; retryAfterSeconds: number };

export type SendTestCallback = (request: TestCallbackRequest) => Promise<TestCallbackOutcome>;

/** Queues a callback for an event that has not happened. No document changes. */
export function makeSendTestCallback(parts: {
  database: Database;
  clock: Clock;
  formatCallback: FormatCallback;
  testRules: TestCallbackRules;
}): SendTestCallback {
  const { database, clock, formatCallback, testRules } = parts;

  async function send(tx: Tx, request: TestCallbackRequest): Promise<TestCallbackOutcome> {
    const { account, event, documentNo } = request;
    const { accountId } = account;
    await lockTestsOf(tx, accountId);
    const recent = await countRecentTests(tx, accountId, secondsPerMinute);
    if (recent.count >= testRules.perMinuteMax)
      return { kind: 'too_many', retryAfterSeconds: Math.max(1, recent.oldestLeftSeconds) };
    const document = documentNo === null ? null : await findDocument(tx, request, documentNo);
    if (documentNo !== null && document === null) return { kind: 'document_not_found' };
    const target = await targetOf(tx, request, document);
    if ('kind' in target) return target;

    const itself = { accountId, documentId: await takeTestId(tx) };
    const example = testRules.exampleOf(event);
    const owed = owedTest(
      document ? documentAfter(event, document, itself) : exampleDocument(event, example.documentNo, itself),
      target,
      {
        testOf: document?.documentId ?? 0,
        now: clock.now(),
        format: document ? formatCallback : example.format,
      },
    );

    await Promise.all(oweTest(tx, owed));
    return {
      kind: 'queued',
      eventId: owed.event.eventId,
      documentNo: document?.partnerNumber ?? example.documentNo,
      url: owed.url,
    };
  }

  return (request) =>
    request.callbackUrl !== null && request.account.environment !== 'uat'
      ? Promise.resolve({ kind: 'address_of_production' })
      : database.transaction([request.account.accountId], (tx) => send(tx, request));
}

async function findDocument(
  tx: Tx,
  { account, event, keyName }: TestCallbackRequest,
  documentNo: string,
): Promise<TestedDocument | null> {
  const { type } = partsOfEvent(event);
  return await findTestedDocument(tx, account.accountId, {
    type,
    documentNo,
    isLogistics: keyName === null ? null : true,
  });
}

/** The address and the signer that callbacks of the document have; without a document, those of the account. */
async function targetOf(
  tx: Tx,
  { account: { accountId }, callbackUrl, keyName }: TestCallbackRequest,
  document: TestedDocument | null,
): Promise<CallbackTarget | Extract<TestCallbackOutcome, { kind: 'no_address' | 'no_secret' }>> {
  const usual = await usualTarget(tx, accountId, document, keyName !== null);
  const url = callbackUrl ?? usual?.url;
  if (url === undefined) return { kind: 'no_address' };
  const signer = keyName ?? usual?.keyName ?? (await findSigner(tx, accountId));
  return signer === null ? { kind: 'no_secret' } : { keyName: signer, url };
}

async function usualTarget(
  tx: Tx,
  accountId: number,
  document: TestedDocument | null,
  isOfKey: boolean,
): Promise<CallbackTarget | null> {
  if (document?.isLogistics) {
    const { keyName, url } = document;
    return keyName === null || url === null ? null : { keyName, url };
  }
  if (isOfKey) return null;
  const addressesOf = await findCallbackAddresses(tx, [accountId]);
  return currentTarget(document?.keyName ?? null, addressesOf(accountId));
}

/** For an account without an address: its own secret if it has one, or that of its only key. */
async function findSigner(tx: Tx, accountId: number): Promise<string | null> {
  return (await hasCallbackSecret(tx, accountId)) ? accountSigner : await findOnlyKey(tx, accountId);
}

/** Only its names are stored; the body is the example of the contract. */
function exampleDocument(
  event: string,
  partnerNumber: string,
  itself: { accountId: number; documentId: number },
): NotifiedDocument {
  const { type, status } = partsOfEvent(event);
  const nothing = { name: null, note: null, shipmentNo: null, carrier: null, items: [] };
  return { ...itself, ...nothing, type, status, partnerNumber, internalNo: partnerNumber, ourNo: partnerNumber };
}
