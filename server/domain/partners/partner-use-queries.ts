import type { Tx } from '../../platform/database.ts';

export interface PartnerUseRow {
  kind: 'account' | 'client' | 'logistics_key';
  name: string;
  lastUsedAt: Date;
}

/** In the order of their names, so that two nodes that write the same ones wait for each other and no more. */
export async function recordPartnerUse(tx: Tx, rows: PartnerUseRow[]): Promise<void> {
  await tx`
    insert into partner_use (kind, name, last_used_at)
    select kind, name, at from unnest(
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ lastUsedAt }) => lastUsedAt.toISOString())}::timestamptz[]
    ) as used (kind, name, at) order by kind, name
    on conflict (kind, name) do update set last_used_at = greatest(partner_use.last_used_at, excluded.last_used_at)`;
}
