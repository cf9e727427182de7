import { inboundFindByScan, type ScanAnswer } from '../../../contract/console/inbound-find-by-scan.ts';
import { findInboundsById, findLineByScan } from '../../domain/inbound/inbound-detail-queries.ts';
import { findInboundsNamed } from '../../domain/timeline/document-story-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

export function inboundFindByScanCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundFindByScan, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { text, inbound_id }): Promise<ScanAnswer> {
      if (inbound_id !== undefined) {
        const line = await database.read((sql) => findLineByScan(sql, inbound_id, text));
        return line ? { kind: 'line', ...line } : { kind: 'nothing' };
      }
      const documents = await database.read(async (sql) => {
        const named = await findInboundsNamed(sql, text, null);
        return named.length === 0
          ? []
          : await findInboundsById(
              sql,
              named.map(({ document_id }) => document_id),
            );
      });
      if (documents.length === 0) return { kind: 'nothing' };
      await directory.allNow();
      const accountNoOf = accountNosOf(directory);
      return {
        kind: 'documents',
        documents: documents.map(({ account_id, channel: _, ...document }) => ({ ...document, account_no: accountNoOf(account_id) })),
      };
    },
  });
}
