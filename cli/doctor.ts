import { formatMessage, formatStored } from '../messages/format-message.ts';
import { explainError } from '../messages/message.ts';
import { examineRequest } from '../server/api/explain-request.ts';
import type { RequestLogLine } from '../server/domain/requests/request-log-line.ts';
import { exitCodes, Failure } from './command-line.ts';
import { wrap } from './demo-layout.ts';
import { formatTime } from './look.ts';
import { storeCommand } from './store-command.ts';

/**
 * The request log is written in batches, and a rejected signature is logged only after its diagnosis, so a recent
 * request may appear late.
 */
const writtenWithinMs = 4000;

/** `lading doctor TRACE_ID`: explains the response to a request. */
export function doctorCommand() {
  return storeCommand(
    'doctor',
    'explain the response to an API request: its cause and its fix',
    async (store, _config, traceId: string) => {
      const finding = await examineRequest(store.database, traceId, writtenWithinMs);
      if (finding.kind === 'not_ours')
        throw new Failure(exitCodes.wrongUsage, 'this is not a trace id of this service');
      if (finding.kind === 'missing') throw new Failure(exitCodes.refused, formatMissing(finding.isYoung));
      const { line, error } = finding;
      const explanation = error === null ? null : inEnglish(explainError(error));
      const diagnosis = finding.diagnosis?.map((one) => formatMessage(one)) ?? null;
      const reason = line.reason === null ? null : formatStored(line.reason);
      const shown = { ...line, reason };
      return { json: { ...shown, diagnosis, explanation }, text: formatLine(shown, diagnosis, explanation) };
    },
  ).argument('<trace-id>', 'from the response: the header trace-id, or trace_id in the body of the warehouse API');
}

function formatMissing(isYoung: boolean): string {
  return isYoung
    ? 'the request log does not contain this trace id yet; try again in a moment'
    : 'the request log does not contain this trace id (entries are kept for REQUEST_LOG_DAYS)';
}

interface Explanation {
  cause: string;
  fix: string;
}

function inEnglish({ cause, fix }: ReturnType<typeof explainError>): Explanation {
  return { cause: formatMessage(cause), fix: formatMessage(fix) };
}

const labelWidth = 10;

function formatLine(line: RequestLogLine, diagnosis: string[] | null, explanation: Explanation | null): string {
  const parts: [label: string, value: string | number][] = [
    ['when', formatTime(line.at)],
    ['call', `${line.method} ${line.endpoint} (${line.contract} API)`],
    ['account', line.account_no ?? 'not known'],
    ['document', line.document_no ?? '-'],
    ['answer', [line.status, line.code].filter(Boolean).join(' ')],
    ['why', line.reason ?? '-'],
    ['took', `${(line.duration_us / 1000).toFixed(1)} ms`],
  ];
  const wrapped: [label: string, texts: string[]][] = [
    ['found', diagnosis ?? []],
    // For a rejected signature, the catalogue only refers to the operator, who is reading this.
    ['cause', explanation && !diagnosis ? [explanation.cause] : []],
    ['fix', explanation && !diagnosis ? [explanation.fix] : []],
  ];
  return [
    ...parts.map(([label, value]) => `${label.padEnd(labelWidth)}${value}`),
    ...wrapped.flatMap(([label, texts]) => hang(label, texts)),
  ].join('\n');
}

/** Prints the label before the first line and indents the others; several texts each start with a dash. */
function hang(label: string, texts: string[]): string[] {
  const lines =
    texts.length > 1 ? texts.flatMap((text) => listed(text)) : texts.flatMap((text) => wrap(text, labelWidth));
  return lines.map((line, index) => (index === 0 ? label.padEnd(labelWidth) + line.trimStart() : line));
}

function listed(text: string): string[] {
  const indent = ' '.repeat(labelWidth);
  return wrap(text, labelWidth + 2).map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line));
}
