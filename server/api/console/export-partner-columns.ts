import type { ListedOperator } from '../../../contract/console/operators.ts';
import type {
  ListedAccount,
  ListedClient,
  ListedLogisticsKey,
  ListedStore,
  ListedWarehouse,
} from '../../../contract/console/partners.ts';
import { type ExportColumn, number, type Say, text, time, yesNo } from './export-columns.ts';

const enabled = (value: boolean, { names }: Say) => names.enabled[`${value}`];

export const accountColumns: ExportColumn<ListedAccount>[] = [
  text('account', (row) => row.account_no),
  text('name', (row) => row.name),
  text('environment', (row, { names }) => names.environment[row.environment]),
  text('state', (row, say) => enabled(row.enabled, say)),
  text('warehouseApi', (row, say) => yesNo(row.warehouse_api, say)),
  number('tenants', (row) => row.tenants),
  number('clients', (row) => row.clients),
  number('keys', (row) => row.keys),
  text('callbackUrl', (row) => row.callback_url),
  time('lastCall', (row) => row.last_used_at),
  time('created', (row) => row.created_at),
];

export const clientColumns: ExportColumn<ListedClient>[] = [
  text('clientId', (row) => row.client_id),
  text('account', (row) => row.account_no),
  text('permissions', (row) => row.permissions.join(', ')),
  text('state', (row, say) => enabled(row.enabled && row.account_enabled, say)),
  time('lastCall', (row) => row.last_used_at),
  time('secretSince', ({ check_value }) => check_value.since),
  time('created', (row) => row.created_at),
];

export const keyColumns: ExportColumn<ListedLogisticsKey>[] = [
  text('name', (row) => row.name),
  text('account', (row) => row.account_no),
  text('warehouse', (row) => String(row.warehouse_no)),
  text('store', (row) => String(row.store_no)),
  text('receiving', (row, { names }) => names.receivingRule[row.receiving]),
  number('sellableDays', (row, { names }) => row.sellable_days_before_expiry ?? names.noLimit),
  number('receiveAfter', (row) => row.receive_after_s),
  number('overDelivery', (row) => row.over_delivery_percent),
  text('state', (row, say) => enabled(row.enabled && row.account_enabled, say)),
  time('lastCall', (row) => row.last_used_at),
  time('secretSince', ({ key }) => key.since),
  time('created', (row) => row.created_at),
];

export const warehouseColumns: ExportColumn<ListedWarehouse>[] = [
  text('warehouse', (row) => String(row.warehouse_no)),
  text('name', (row) => row.name),
  text('connector', ({ connector }, { names }) => names.connector[connector.type]),
  number('transferEvery', (row) => row.transfer_every_s),
  text('cutOff', (row) => row.cut_off),
  text('workingDays', (row, { names }) => row.working_days.map((day) => names.weekday[day]).join(', ')),
  time('created', (row) => row.created_at),
];

export const storeColumns: ExportColumn<ListedStore>[] = [
  text('store', (row) => String(row.store_no)),
  text('name', (row) => row.name),
  text('kind', (row) => row.type),
  time('created', (row) => row.created_at),
];

export const operatorColumns: ExportColumn<ListedOperator>[] = [
  text('username', (row) => row.username),
  text('role', (row, { names }) => names.role[row.role]),
  text('warehouses', ({ warehouse_nos }, { names }) => warehouse_nos?.join(', ') ?? names.all),
  text('state', (row, say) => enabled(row.enabled, say)),
  time('lastSignIn', (row) => row.last_signed_in_at),
  number('openSessions', (row) => row.open_sessions),
  time('codesSince', (row) => row.totp_since),
  time('created', (row) => row.created_at),
];
