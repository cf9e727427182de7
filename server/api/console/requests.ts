import type { BodyOf } from '../../../contract/console/console-call.ts';
import { pageSizeDefault } from '../../../contract/console/console-values.ts';
import {
  type RequestRow,
  requestDetail,
  requestGrouped,
  requestGroupsMax,
  requestSearch,
} from '../../../contract/console/requests.ts';
import { readMessage } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { findCallbacksOfDocuments } from '../../domain/callbacks/document-callback-queries.ts';
import { findActionsOfRequest, findTouchedDocuments } from '../../domain/requests/request-history-queries.ts';
import {
  type FoundRequest,
  findRequestRow,
  groupRequests,
  type RequestFilter,
  searchRequests,
} from '../../domain/requests/request-log-search-queries.ts';
import { distinct } from '../../platform/distinct.ts';
import { timeOfTraceId } from '../../platform/ids.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { examineRequest } from '../explain-request.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { rangeOf } from './request-range.ts';
import { requestsTrendCall } from './requests-trend.ts';

/** The request log. */
export function requestEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [requestsSearchCall(parts), requestsGroupedCall(parts), requestsDetailCall(parts), requestsTrendCall(parts)];
}

type Body = BodyOf<typeof requestSearch>;

function requestsSearchCall({ cursors, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestSearch, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, { page_size = pageSizeDefault, cursor, ...asked }) {
      const scope = {
        list: 'console/requests',
        accountIds: [],
        search: { filters: { asked: { anyOf: [JSON.stringify(asked)] } }, sort: null },
      };
      const place = cursor === undefined ? null : cursors.read(scope, cursor);
      if (cursor !== undefined && place === null) throw mistakeAt('cursor', rejection('cursor_of_other_requests'));
      const { from, to } =
        place === null ? rangeOf(asked, clock.now()) : { from: new Date(place[0]!), to: new Date(place[1]!) };

      const searched = { from: from.toISOString(), to: to.toISOString() };
      if (asked.trace_id !== undefined) {
        const row = await reads.read(noAccounts, (sql) => findRequestRow(sql, asked.trace_id!));
        return { rows: row ? [toRequest(row)] : [], next_cursor: null, ...searched, searched_to: null };
      }
      const after = place?.[2] ?? null;
      const { rows, next } = await searchRequests(reads, { from, to, after }, requestFilterOf(asked), page_size);
      return {
        rows: rows.map(toRequest),
        next_cursor: next === null ? null : cursors.write(scope, [searched.from, searched.to, next]),
        ...searched,
        searched_to: next === null ? null : timeOfTraceId(next)!.toISOString(),
      };
    },
  });
}

function requestFilterOf({ account_no, contract, endpoint, status, code, document_no }: Partial<Body>): RequestFilter {
  return {
    ...(account_no === undefined ? {} : { accountNo: account_no }),
    ...(contract && { contracts: contract }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(status && { statuses: status.map(statusRange) }),
    ...(code === undefined ? {} : { code }),
    ...(document_no === undefined ? {} : { documentNo: document_no }),
  };
}

/** `4xx` is all of them, `409` is itself. */
function statusRange(text: string): { from: number; to: number } {
  if (!text.endsWith('xx')) return { from: Number(text), to: Number(text) };
  const hundred = Number(text[0]) * 100;
  return { from: hundred, to: hundred + 99 };
}

function toRequest({ duration_us, ...line }: FoundRequest): RequestRow {
  return { ...line, reason: readMessage(line.reason), duration_ms: duration_us / 1000 };
}

function requestsGroupedCall({ clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestGrouped, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, asked) {
      const { from, to } = rangeOf(asked, clock.now());
      const { groups, next } = await groupRequests(reads, { from, to }, requestFilterOf(asked));
      return {
        groups: groups.slice(0, requestGroupsMax).map((group) => ({ ...group, reason: readMessage(group.reason) })),
        has_more: groups.length > requestGroupsMax,
        from: from.toISOString(),
        to: to.toISOString(),
        searched_to: next === null ? null : timeOfTraceId(next)!.toISOString(),
      };
    },
  });
}

const waitMaxMs = 2000;

/** The findings of `lading doctor` about a request, and the documents it touched. */
function requestsDetailCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { trace_id }) {
      const finding = await examineRequest(database, trace_id, waitMaxMs);
      if (finding.kind === 'not_ours') return finding;
      if (finding.kind === 'missing') return { kind: finding.kind, is_young: finding.isYoung };
      const { line, diagnosis, error } = finding;
      return await database.read(noAccounts, async (sql) => {
        const [row, actions] = await Promise.all([findRequestRow(sql, trace_id), findActionsOfRequest(sql, trace_id)]);
        const numbers = [...new Set([line.document_no, ...actions.map(({ subject }) => subject)])].filter(
          (number) => number !== null,
        );
        const documents = await findTouchedDocuments(sql, trace_id, numbers, line.account_no);
        const keysOf = (type: 'order' | 'inbound') =>
          documents
            .filter((one) => one.type === type)
            .map(({ account_id, document_id }) => ({ accountId: account_id, documentId: document_id }));
        const own = sql.forAccounts(distinct(documents.map(({ account_id }) => account_id)));
        const callbacks = await Promise.all([
          findCallbacksOfDocuments(own, 'order', keysOf('order')),
          findCallbacksOfDocuments(own, 'inbound', keysOf('inbound')),
        ]);
        return {
          kind: 'found' as const,
          line: toRequest(row!),
          diagnosis,
          // For a refused signature, the catalogue only refers to the operator.
          error: diagnosis === null ? error : null,
          documents: documents.map(({ type, document_id, account_no, partner_number, document_no, status, done }) => ({
            type,
            document_id,
            account_no,
            partner_number,
            document_no,
            status,
            done,
          })),
          callbacks: callbacks.flat(),
          actions,
        };
      });
    },
  });
}
