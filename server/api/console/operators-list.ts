import { operatorsList } from '../../../contract/console/operators.ts';
import { listOperatorRows } from '../../domain/operators/operator-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners } from './partner-rows.ts';

export function operatorsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(operatorsList, {
    role: 'admin',
    audit: null,
    async handle({ session }) {
      const { rows, is_cut } = await listPartners(parts, listOperatorRows);
      const open = Map.groupBy(await parts.sessions.listOpen(session), ({ username }) => username);
      return { rows: rows.map((row) => ({ ...row, open_sessions: open.get(row.username)?.length ?? 0 })), is_cut };
    },
  });
}
