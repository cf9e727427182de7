import type { ListedClient } from '../../../contract/console/partner-clients.ts';
import type { ListedLogisticsKey } from '../../../contract/console/partner-keys.ts';
import { type PartnerList, partnersListedMax, type RotatableSecret, type SecretFacts } from '../../../contract/console/partner-values.ts';
import { type ClientListRow, type LogisticsKeyListRow, listSecretRows } from '../../domain/partners/partner-list-queries.ts';
import type { Sql } from '../../platform/database.ts';
import type { ConsoleParts } from './console-parts.ts';

/** One more than is shown tells that there are more. */
export async function listPartners<Row>(
  { database }: ConsoleParts,
  readRows: (sql: Sql, rowsMax: number) => Promise<Row[]>,
): Promise<PartnerList<Row>> {
  const rows = await database.read((sql) => readRows(sql, partnersListedMax + 1));
  return { rows: rows.slice(0, partnersListedMax), is_cut: rows.length > partnersListedMax };
}

export async function withCheckValues(sql: Sql, rows: ClientListRow[]): Promise<ListedClient[]> {
  const secrets = await secretsOf(
    sql,
    ['check_value'],
    rows.map(({ client_id }) => client_id),
  );
  return rows.map((row) => ({ ...row, check_value: secrets('check_value', row.client_id) }));
}

export async function withKeySecrets(sql: Sql, rows: LogisticsKeyListRow[]): Promise<ListedLogisticsKey[]> {
  const ownerOf = ({ account_no, name }: LogisticsKeyListRow) => `${account_no}/${name}`;
  const secrets = await secretsOf(sql, ['logistics_key', 'callback_secret'], rows.map(ownerOf));
  return rows.map((row) => ({
    ...row,
    key: secrets('logistics_key', ownerOf(row)),
    callback_secret: secrets('callback_secret', ownerOf(row)),
  }));
}

export async function secretsOf(
  sql: Sql,
  kinds: RotatableSecret[],
  owners: string[],
): Promise<(kind: RotatableSecret, owner: string) => SecretFacts> {
  const rows = await listSecretRows(sql, kinds, owners);
  const known = new Map(rows.map((row) => [`${row.kind} ${row.owner}`, row]));
  return (kind, owner) => {
    const { since = null, previous_valid_until = null } = known.get(`${kind} ${owner}`) ?? {};
    return { kind, owner, since, previous_valid_until };
  };
}
