import { type Explanation, examineRequest } from '../server/api/request-doctor.ts';
import { exitCodes, Failure } from '../server/command-line.ts';
import type { RequestLogLine } from '../server/platform/request-log.ts';
import { wrap } from './demo-layout.ts';
import { storeCommand } from './store-command.ts';

/** The log is written in groups, and of a refused signature after its diagnosis: a call of this moment may take that long to be found. */
const writtenWithinMs = 4000;

/** `lading doctor TRACE_ID`: what became of a call, and why. */
export function doctorCommand() {
  return storeCommand('doctor', 'tell what became of an API call, why, and what helps', async (store, _config, traceId: string) => {
    const finding = await examineRequest(store.database, traceId, writtenWithinMs);
    if (finding.kind === 'not_ours') throw new Failure(exitCodes.wrongUsage, 'this is not a trace id of ours');
    if (finding.kind === 'missing') throw new Failure(exitCodes.refused, wordMissing(finding.isYoung));
    const { line, diagnosis, explanation } = finding;
    return { json: { ...line, diagnosis, explanation }, words: wordLine(line, diagnosis, explanation) };
  }).argument('<trace-id>', 'from the answer: the header trace-id, in the warehouse API also trace_id');
}

function wordMissing(isYoung: boolean): string {
  return isYoung
    ? 'no call with this trace id is in the request log yet: ask again in a moment'
    : 'no call with this trace id is in the request log (it is kept for REQUEST_LOG_DAYS)';
}

const labelWidth = 10;

function wordLine(line: RequestLogLine, diagnosis: string[] | null, explanation: Explanation | null): string {
  const parts: [label: string, value: string | number][] = [
    ['when', line.at.toISOString()],
    ['call', `${line.method} ${line.endpoint} (${line.contract} API)`],
    ['account', line.account_no ?? 'not known'],
    ['document', line.document_no ?? '-'],
    ['answer', [line.status, line.code].filter(Boolean).join(' ')],
    ['why', line.reason ?? '-'],
    ['took', `${(line.duration_us / 1000).toFixed(1)} ms`],
  ];
  const wrapped: [label: string, texts: string[]][] = [
    ['found', diagnosis ?? []],
    // Of a signature, the catalogue says no more than that the operator knows more.
    ['cause', explanation && !diagnosis ? [explanation.cause] : []],
    ['cure', explanation && !diagnosis ? [explanation.cure] : []],
  ];
  return [
    ...parts.map(([label, value]) => `${label.padEnd(labelWidth)}${value}`),
    ...wrapped.flatMap(([label, texts]) => hang(label, texts)),
  ].join('\n');
}

/** The label before the first line, the lines below each other; where there are several texts, each begins with a dash. */
function hang(label: string, texts: string[]): string[] {
  const lines = texts.length > 1 ? texts.flatMap((text) => listed(text)) : texts.flatMap((text) => wrap(text, labelWidth));
  return lines.map((line, index) => (index === 0 ? label.padEnd(labelWidth) + line.trimStart() : line));
}

function listed(text: string): string[] {
  const indent = ' '.repeat(labelWidth);
  return wrap(text, labelWidth + 2).map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line));
}
