import { type AccountDetail, accountHistoryMax, accountsDetail, accountsList } from '../../../contract/console/accounts.ts';
import { partnersAddresses } from '../../../contract/console/partner-addresses.ts';
import { clientsList, type ListedClient } from '../../../contract/console/partner-clients.ts';
import { type ListedLogisticsKey, logisticsKeysList } from '../../../contract/console/partner-keys.ts';
import { storesList, warehousesList } from '../../../contract/console/partner-places.ts';
import { type PartnerList, partnersListedMax, type RotatableSecret, type SecretFacts } from '../../../contract/console/partner-values.ts';
import { mainBasePath } from '../../../contract/main/base-path.ts';
import {
  type ClientListRow,
  type LogisticsKeyListRow,
  listAccountChanges,
  listAccountRows,
  listClientRows,
  listLogisticsKeyRows,
  listSecretRows,
  listStoreRows,
  listTenantRows,
  listWarehouseRows,
} from '../../domain/partners/partner-list-queries.ts';
import type { Sql } from '../../platform/database.ts';
import { ProblemError } from '../problem.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { wordPartnerChange } from './partner-differences.ts';

/** One more than is shown tells that there are more. */
const readMax = partnersListedMax + 1;
const looksOnly = { role: 'read-only', audit: null } as const;

/** Partners as everybody at the console may see them. */
export function partnerListEndpoints({ database, addresses }: ConsoleParts): ConsoleEndpoint[] {
  return [
    consoleEndpoint(accountsList, {
      ...looksOnly,
      handle: async () => listed(await database.read((sql) => listAccountRows(sql, null, readMax))),
    }),
    consoleEndpoint(accountsDetail, {
      ...looksOnly,
      async handle(_caller, { account_no }) {
        const detail = await database.read((sql) => readAccount(sql, account_no));
        if (detail === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such account' });
        return detail;
      },
    }),
    consoleEndpoint(clientsList, {
      ...looksOnly,
      handle: async () => listed(await database.read(async (sql) => withCheckValues(sql, await listClientRows(sql, null, readMax)))),
    }),
    consoleEndpoint(logisticsKeysList, {
      ...looksOnly,
      handle: async () => listed(await database.read(async (sql) => withKeySecrets(sql, await listLogisticsKeyRows(sql, null, readMax)))),
    }),
    consoleEndpoint(warehousesList, {
      ...looksOnly,
      async handle() {
        return await database.read(async (sql) => {
          const rows = await listWarehouseRows(sql, readMax);
          const secrets = await secretsOf(
            sql,
            ['connector_secret'],
            rows.map(({ warehouse_no }) => String(warehouse_no)),
          );
          return listed(rows.map((row) => ({ ...row, connector_secret: secrets('connector_secret', String(row.warehouse_no)) })));
        });
      },
    }),
    consoleEndpoint(storesList, { ...looksOnly, handle: async () => listed(await database.read((sql) => listStoreRows(sql, readMax))) }),
    consoleEndpoint(partnersAddresses, {
      ...looksOnly,
      async handle() {
        const { serverUrl, warehouseBasePath, logisticsSegment } = addresses;
        return {
          token_url: `${serverUrl}/api/v1/token/getToken`,
          main_url: `${serverUrl}${mainBasePath}`,
          warehouse_url: `${serverUrl}${warehouseBasePath}`,
          logistics_url: `${serverUrl}/${logisticsSegment}`,
          docs_url: `${serverUrl}/docs`,
        };
      },
    }),
  ];
}

export function listed<Row>(rows: Row[]): PartnerList<Row> {
  return { rows: rows.slice(0, partnersListedMax), is_cut: rows.length > partnersListedMax };
}

async function readAccount(sql: Sql, accountNo: string): Promise<AccountDetail | null> {
  const [account] = await listAccountRows(sql, accountNo, 1);
  if (!account) return null;
  const secrets = await secretsOf(sql, ['account_secret'], [accountNo]);
  return {
    ...account,
    secret: secrets('account_secret', accountNo),
    tenant_rows: await listTenantRows(sql, accountNo, partnersListedMax),
    client_rows: await withCheckValues(sql, await listClientRows(sql, accountNo, partnersListedMax)),
    key_rows: await withKeySecrets(sql, await listLogisticsKeyRows(sql, accountNo, partnersListedMax)),
    history: (await listAccountChanges(sql, accountNo, accountHistoryMax)).map(wordPartnerChange),
  };
}

async function withCheckValues(sql: Sql, rows: ClientListRow[]): Promise<ListedClient[]> {
  const secrets = await secretsOf(
    sql,
    ['check_value'],
    rows.map(({ client_id }) => client_id),
  );
  return rows.map((row) => ({ ...row, check_value: secrets('check_value', row.client_id) }));
}

async function withKeySecrets(sql: Sql, rows: LogisticsKeyListRow[]): Promise<ListedLogisticsKey[]> {
  const ownerOf = ({ account_no, name }: LogisticsKeyListRow) => `${account_no}/${name}`;
  const secrets = await secretsOf(sql, ['logistics_key', 'callback_secret'], rows.map(ownerOf));
  return rows.map((row) => ({
    ...row,
    key: secrets('logistics_key', ownerOf(row)),
    callback_secret: secrets('callback_secret', ownerOf(row)),
  }));
}

async function secretsOf(
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
