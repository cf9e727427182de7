import { requestDetail } from '../../../contract/console/request-detail.ts';
import { findActionsOfCall, findCallbacksOfDocuments, findTouchedDocuments } from '../../domain/timeline/call-story-queries.ts';
import { findRequestRow } from '../../platform/request-log-search.ts';
import { examineRequest } from '../request-doctor.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { wordRequest } from './requests-search.ts';

const waitMaxMs = 2000;

/** What `lading doctor` says of a call, and what the call has left behind. */
export function requestsDetailCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { trace_id }) {
      const finding = await examineRequest(database, trace_id, waitMaxMs);
      if (finding.kind === 'not_ours') return finding;
      if (finding.kind === 'missing') return { kind: finding.kind, is_young: finding.isYoung };
      const { line, diagnosis, explanation } = finding;
      return await database.read(async (sql) => {
        const [row, actions] = await Promise.all([findRequestRow(sql, trace_id), findActionsOfCall(sql, trace_id)]);
        const numbers = [...new Set([line.document_no, ...actions.map(({ subject }) => subject)])].filter((number) => number !== null);
        const documents = await findTouchedDocuments(sql, trace_id, numbers, line.account_no);
        const idsOf = (type: 'order' | 'inbound') => documents.filter((one) => one.type === type).map(({ document_id }) => document_id);
        const callbacks = await Promise.all([
          findCallbacksOfDocuments(sql, 'order', idsOf('order')),
          findCallbacksOfDocuments(sql, 'inbound', idsOf('inbound')),
        ]);
        return {
          kind: 'found' as const,
          line: wordRequest(row!),
          diagnosis,
          // Of a signature, the catalogue says no more than that the operator knows more.
          explanation: diagnosis === null ? explanation : null,
          documents: documents.map(({ type, document_id, account_no, partner_number, document_no, status, done }) => ({
            ...{ type, document_id, account_no, partner_number, document_no, status, done },
          })),
          callbacks: callbacks.flat(),
          actions,
        };
      });
    },
  });
}
