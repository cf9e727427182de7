import {
  type AccountDetail,
  accountHistoryMax,
  accountsDetail,
  accountsList,
  clientsList,
  type FieldDifference,
  type ListedClient,
  type ListedLogisticsKey,
  type ListedPartnerChange,
  type ListedTenant,
  type ListedWarehouse,
  logisticsKeysList,
  type PartnerList,
  partnersAddresses,
  partnersListedMax,
  type RotatableSecret,
  type SecretFacts,
  storesList,
  warehousesList,
} from '../../../contract/console/partners.ts';
import { mainBasePath } from '../../../contract/main/base-path.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { ownedName } from '../../domain/partners/owned-name.ts';
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
  type PartnerChangeListRow,
  type TenantListRow,
} from '../../domain/partners/partner-list-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOwn } from './own-warehouses.ts';
import { filterPartners, isWanted } from './partner-filters.ts';
import { partnerChangeEndpoints, secretsRotateCall } from './partners-changes.ts';

export function partnerEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    accountsListCall(parts),
    accountsDetailCall(parts),
    clientsListCall(parts),
    logisticsKeysListCall(parts),
    warehousesListCall(parts),
    storesListCall(parts),
    partnersAddressesCall(parts),
    ...partnerChangeEndpoints(parts),
    secretsRotateCall(parts),
  ];
}

function accountsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsList, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    async handle(_caller, { environment, ...filters }) {
      const { rows, is_cut } = await listPartners(parts, (sql, rowsMax) => listAccountRows(sql, null, rowsMax));
      const named = filterPartners(rows, filters, ({ account_no, name }) => [account_no, name]);
      return { rows: named.filter((row) => isWanted(row.environment, environment)), is_cut };
    },
  });
}

function accountsDetailCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsDetail, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    async handle(_caller, { account_no }) {
      const detail = await database.read(noAccounts, (sql) => readAccount(sql, account_no));
      if (detail === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_account') });
      return detail;
    },
  });
}

async function readAccount(sql: Sql, accountNo: string): Promise<AccountDetail | null> {
  const [account] = await listAccountRows(sql, accountNo, 1);
  if (!account) return null;
  const secrets = await secretsOf(sql, ['account_secret', 'account_callback_secret'], [accountNo]);
  return {
    ...account,
    secret: secrets('account_secret', accountNo),
    callback_secret: secrets('account_callback_secret', accountNo),
    tenant_rows: await withTenantSecrets(sql, await listTenantRows(sql, accountNo, partnersListedMax)),
    client_rows: await withCheckValues(sql, await listClientRows(sql, accountNo, partnersListedMax)),
    key_rows: await withKeySecrets(sql, await listLogisticsKeyRows(sql, accountNo, partnersListedMax)),
    history: (await listAccountChanges(sql, accountNo, accountHistoryMax)).map(toPartnerChange),
  };
}

function clientsListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(clientsList, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    async handle(_caller, { account_no, ...filters }) {
      const { rows, is_cut } = await listPartners(parts, async (sql, rowsMax) =>
        withCheckValues(sql, await listClientRows(sql, account_no ?? null, rowsMax)),
      );
      return { rows: filterPartners(rows, filters, ({ client_id }) => [client_id]), is_cut };
    },
  });
}

function logisticsKeysListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(logisticsKeysList, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    async handle(_caller, { account_no, ...filters }) {
      const { rows, is_cut } = await listPartners(parts, async (sql, rowsMax) =>
        withKeySecrets(sql, await listLogisticsKeyRows(sql, account_no ?? null, rowsMax)),
      );
      return { rows: filterPartners(rows, filters, ({ name }) => [name]), is_cut };
    },
  });
}

function warehousesListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(warehousesList, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller) {
      const { rows, is_cut } = await listPartners(parts, readWarehouses);
      return { rows: rows.filter(({ warehouse_no }) => isOwn(caller, warehouse_no)), is_cut };
    },
  });
}

async function readWarehouses(sql: Sql, rowsMax: number): Promise<ListedWarehouse[]> {
  const rows = await listWarehouseRows(sql, rowsMax);
  const ownerOf = ({ warehouse_no }: (typeof rows)[number]) => String(warehouse_no);
  const secrets = await secretsOf(sql, ['connector_secret'], rows.map(ownerOf));
  return rows.map((row) => ({ ...row, connector_secret: secrets('connector_secret', ownerOf(row)) }));
}

function storesListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(storesList, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    handle: () => listPartners(parts, listStoreRows),
  });
}

function partnersAddressesCall({
  addresses: { serverUrl, warehouseBasePath, logisticsSegment },
}: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(partnersAddresses, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    handle: async () => ({
      token_url: `${serverUrl}/api/v1/token/getToken`,
      main_url: `${serverUrl}${mainBasePath}`,
      warehouse_url: `${serverUrl}${warehouseBasePath}`,
      logistics_url: `${serverUrl}/${logisticsSegment}`,
      docs_url: `${serverUrl}/docs`,
    }),
  });
}

/** Reads one row more than is shown, to know whether the list is cut. */
export async function listPartners<Row>(
  { database }: ConsoleParts,
  readRows: (sql: Sql, rowsMax: number) => Promise<Row[]>,
): Promise<PartnerList<Row>> {
  const rows = await database.read(noAccounts, (sql) => readRows(sql, partnersListedMax + 1));
  return { rows: rows.slice(0, partnersListedMax), is_cut: rows.length > partnersListedMax };
}

async function withCheckValues(sql: Sql, rows: ClientListRow[]): Promise<ListedClient[]> {
  const secrets = await secretsOf(
    sql,
    ['check_value'],
    rows.map(({ client_id }) => client_id),
  );
  return rows.map((row) => ({ ...row, check_value: secrets('check_value', row.client_id) }));
}

async function withTenantSecrets(sql: Sql, rows: TenantListRow[]): Promise<ListedTenant[]> {
  const ownerOf = (row: TenantListRow) => ownedName(row.account_no, row.warehouse_tpw_id);
  const secrets = await secretsOf(sql, ['tenant_callback_secret'], rows.map(ownerOf));
  return rows.map((row) => ({ ...row, callback_secret: secrets('tenant_callback_secret', ownerOf(row)) }));
}

async function withKeySecrets(sql: Sql, rows: LogisticsKeyListRow[]): Promise<ListedLogisticsKey[]> {
  const ownerOf = ({ account_no, name }: LogisticsKeyListRow) => ownedName(account_no, name);
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
    const { since = null, previous_valid_until = null, is_weak = false } = known.get(`${kind} ${owner}`) ?? {};
    return { kind, owner, since, previous_valid_until, is_weak };
  };
}

function toPartnerChange(row: PartnerChangeListRow): ListedPartnerChange {
  const { change_id, at, actor, subject_kind, subject, change, fields, before } = row;
  return { change_id, at, who: whoOf(actor), subject_kind, subject, change, fields: differencesOf(fields, before) };
}

/** Each changed field with its value before and after. */
export function differencesOf(
  after: Record<string, unknown>,
  before: Record<string, unknown> | null = null,
): FieldDifference[] {
  return Object.entries(after).map(([field, value]) => ({ field, before: before?.[field] ?? null, after: value }));
}

/** Operators are shown by name, other actors as recorded. */
export function whoOf(actor: string): string {
  return actor.replace(/^operator (?=\S+$)/, '');
}
