import { makeNormalizer } from '../server/platform/json/normalize.ts';
import type { AcceptedDocuments } from './accepted-documents.ts';
import { faultClient } from './child-process.ts';
import type { FuzzCaller } from './fuzz-caller.ts';
import { describeCase, type FuzzCase, preparingCase, readJson } from './fuzz-cases.ts';
import type { FuzzTally } from './fuzz-tally.ts';
import { callsBefore } from './hostile-bodies.ts';
import type { RawAnswer } from './raw-connection.ts';
import { differencesAfter, wrongEcho } from './read-back.ts';
import type { StallWatch } from './stall-watch.ts';

type Json = Record<string, unknown>;

interface SenderParts {
  caller: FuzzCaller;
  watch: StallWatch;
  tally: FuzzTally;
  accepted: AcceptedDocuments;
}

/** Sends fuzz cases, judges each response, and reads back what the service accepted. */
export class FuzzSender {
  private readonly caller: FuzzCaller;
  private readonly watch: StallWatch;
  private readonly tally: FuzzTally;
  private readonly accepted: AcceptedDocuments;
  private numbers: number;

  constructor({ caller, watch, tally, accepted }: SenderParts) {
    this.caller = caller;
    this.watch = watch;
    this.tally = tally;
    this.accepted = accepted;
    this.numbers = 0;
  }

  nextNumber(): number {
    return ++this.numbers;
  }

  /** null: there was no response, which is a finding already. */
  async send(one: FuzzCase): Promise<RawAnswer | null> {
    const body = one.make(this.nextNumber());
    return await this.watch.observe(
      describeCase(one, body),
      () => this.exchange(one, body),
      () => this.send(one),
    );
  }

  private async exchange(one: FuzzCase, body: Buffer): Promise<RawAnswer | null> {
    for (const before of callsBefore(one.endpoint.operationId, readJson(body)))
      await this.send(preparingCase(before.endpoint, before.body));
    const answer = await this.caller.post(one.endpoint.path, body);
    if (!answer) return null;
    for (const mistake of mistakesIn(answer, one, body)) this.tally.find(`${mistake}: ${describeCase(one, body)}`);
    if (answer.status === 200) await this.checkAccepted(one, body, JSON.parse(answer.body));
    else if (!answer.body.includes('LST-TPW-2001')) this.accepted.noteRefused(answer.headers['trace-id']!);
    return answer;
  }

  /** The response must repeat what was sent, and the service must have stored it unchanged. */
  private async checkAccepted({ endpoint, what }: FuzzCase, bytes: Buffer, envelope: Json): Promise<void> {
    const { operationId, schema } = endpoint;
    if (operationId.startsWith('search') || operationId === 'getToken') return;
    const body = makeNormalizer(schema)(JSON.parse(bytes.toString())) as Json;
    const response = ((envelope.data ?? envelope.retval) as Json) ?? {};
    this.tally.acknowledged++;
    this.accepted.note(operationId, body);

    const echo = wrongEcho(operationId, body, envelope);
    if (echo !== null) this.tally.find(`altered in the response: ${operationId}, ${what}: ${echo}`);
    const isFormCancel = operationId === 'inboundForm' && body.form_type === 3;
    if (response.idempotent === true || isFormCancel) return;
    const differences = await differencesAfter(this.caller, operationId, body, response);
    this.tally.altered += differences.length;
    for (const difference of differences) this.tally.find(`altered: ${operationId}, ${what}: ${difference}`);
  }
}

function mistakesIn(answer: RawAnswer, one: FuzzCase, body: Buffer): string[] {
  const isThrottled = answer.status === 429 && !mayBeGuessing(one, body);
  return [
    ...(answer.status >= 500 || isThrottled ? [`status ${answer.status}`] : []),
    ...(one.isSound && !isDone(answer) ? [`a sound body was refused with ${answer.body}`] : []),
  ];
}

/** Accepted as a whole, and so is each of its entries. */
export function isDone({ status, body }: RawAnswer): boolean {
  return status === 200 && !/"done":false|"status":"(refused|not_found)"/.test(body);
}

/** The brute-force limiter delays only clients that have never sent a correct CheckValue. */
function mayBeGuessing({ endpoint }: FuzzCase, body: Buffer): boolean {
  return endpoint.operationId === 'getToken' && (readJson(body) as Json)?.ClientId !== faultClient.clientId;
}
