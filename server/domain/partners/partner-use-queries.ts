import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';

export interface PartnerUseRow {
  kind: 'account' | 'client' | 'logistics_key';
  name: string;
  lastUsedAt: Date;
}

const useRows = rowParameters<PartnerUseRow>({
  kind: ['text', ({ kind }) => kind],
  name: ['text', ({ name }) => name],
  at: ['timestamptz', ({ lastUsedAt }) => lastUsedAt.toISOString()],
});

/** In the order of their names, so that two nodes that write the same rows lock them in the same order. */
export async function recordPartnerUse(tx: Tx, rows: PartnerUseRow[]): Promise<void> {
  await tx`
    insert into partner_use (kind, name, last_used_at)
    select kind, name, at from ${useRows.unnest(rows)} as used (kind, name, at) order by kind, name
    on conflict (kind, name) do update set last_used_at = greatest(partner_use.last_used_at, excluded.last_used_at)`;
}
