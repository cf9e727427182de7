import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { AccountNo, Nothing, record } from './console-values.ts';
import type { ListedClient } from './partner-clients.ts';
import type { ListedLogisticsKey } from './partner-keys.ts';
import type { ListedTenant } from './partner-tenants.ts';
import {
  type ChangedPartner,
  type CreatedPartner,
  type ListedPartnerChange,
  type PartnerList,
  PartnerName,
  type SecretFacts,
  Title,
} from './partner-values.ts';

export interface ListedAccount {
  account_no: string;
  name: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouse_api: boolean;
  created_at: string;
  /** By its own secret, a client or a key; to the half minute. */
  last_used_at: string | null;
  tenants: number;
  clients: number;
  keys: number;
}

export const accountsList = consoleCall<PartnerList<ListedAccount>>()('/accounts/list', Nothing);

export interface AccountDetail extends ListedAccount {
  secret: SecretFacts;
  tenant_rows: ListedTenant[];
  client_rows: ListedClient[];
  key_rows: ListedLogisticsKey[];
  /** Of the account and all that belongs to it, newest first, at most `accountHistoryMax`. */
  history: ListedPartnerChange[];
}

export const accountHistoryMax = 100;
export const accountsDetail = consoleCall<AccountDetail>()('/accounts/detail', record({ account_no: AccountNo }));

export const accountsCreate = consoleCall<CreatedPartner>()(
  '/accounts/create',
  record({
    account_no: PartnerName,
    name: Type.Optional(Title),
    environment: Type.Enum(['uat', 'production']),
    warehouse_api: Type.Optional(Type.Boolean()),
  }),
);

export const accountsChange = consoleCall<ChangedPartner>()(
  '/accounts/change',
  record({
    account_no: PartnerName,
    name: Type.Optional(Title),
    warehouse_api: Type.Optional(Type.Boolean()),
    enabled: Type.Optional(Type.Boolean()),
  }),
);
