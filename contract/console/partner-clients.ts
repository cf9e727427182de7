import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record } from './console-values.ts';
import { type ChangedPartner, type CreatedPartner, type PartnerList, PartnerName, type SecretFacts } from './partner-values.ts';

/** What a client may do, one for each kind of operation of the main API. */
export const clientPermissions = [
  'stocks.read',
  'products.read',
  'orders.read',
  'orders.write',
  'inbounds.read',
  'inbounds.write',
  'fulfilment.write',
  'callbacks.read',
  'callbacks.write',
] as const;
export type ClientPermission = (typeof clientPermissions)[number];

export interface ListedClient {
  client_id: string;
  account_no: string;
  /** Whether its account is: a client of a disabled one is refused as well. */
  account_enabled: boolean;
  permissions: ClientPermission[];
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
  check_value: SecretFacts;
}

const Permissions = Type.Array(Type.Enum([...clientPermissions]), { maxItems: clientPermissions.length });

export const clientsList = consoleCall<PartnerList<ListedClient>>()('/clients/list', Nothing);

export const clientsCreate = consoleCall<CreatedPartner>()(
  '/clients/create',
  record({ client_id: PartnerName, account_no: PartnerName, permissions: Permissions }),
);

export const clientsChange = consoleCall<ChangedPartner>()(
  '/clients/change',
  record({ client_id: PartnerName, permissions: Type.Optional(Permissions), enabled: Type.Optional(Type.Boolean()) }),
);
