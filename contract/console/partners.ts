import { Type } from 'typebox';
import { CallerIdentifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, Nothing, record } from './console-values.ts';

/** The same rules as in a provisioning file: names are visible ASCII, titles are free text. */
export const PartnerName = Type.String({
  pattern: '^[!-~]{1,64}$',
  description: '1-64 visible ASCII characters without spaces',
});
export const WarehouseTpwId = CallerIdentifier;
export const Title = Type.String({
  pattern: '^(?!\\s)[^\\u0000-\\u001f\\u007f]{1,200}(?<!\\s)$',
  description: '1-200 characters',
});
export const PlaceNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const Receiving = Type.Enum(['on_create', 'on_confirm']);
export const ReceiveAfter = Type.Integer({ minimum: 0, maximum: 86_400 });
export const OverDeliveryPercent = Type.Integer({ minimum: 0, maximum: 1000 });
export const SellableDays = Type.Union([Type.Integer({ minimum: 0, maximum: 36_500 }), Type.Null()]);

/** Longer lists are truncated; the account pages show the rest. */
export const partnersListedMax = 2000;

export interface PartnerList<Row> {
  rows: Row[];
  /** The list was truncated. */
  is_cut: boolean;
}

export const partnerStates = ['enabled', 'disabled'] as const;

/** The filters that lists of partners share. */
export const partnerFilters = {
  /** A part of the name, in upper or lower case. */
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  state: Type.Optional(Type.Array(Type.Enum([...partnerStates]), { minItems: 1, maxItems: partnerStates.length })),
};
const belongingFilters = { ...partnerFilters, account_no: Type.Optional(AccountNo) };

export type RotatableSecret =
  | 'account_secret'
  | 'check_value'
  | 'logistics_key'
  | 'callback_secret'
  | 'account_callback_secret'
  | 'tenant_callback_secret'
  | 'connector_secret';

/** Facts about a secret, never its value. */
export interface SecretFacts {
  kind: RotatableSecret;
  owner: string;
  /** null: no secret is set. */
  since: string | null;
  /** During a rotation, the previous secret works until then. */
  previous_valid_until: string | null;
  /** The current secret breaks the rules for new ones. */
  is_weak: boolean;
}

/** A new secret. Its value is only shown this once. */
export interface IssuedSecret {
  kind: RotatableSecret | 'operator_password';
  owner: string;
  value: string;
}

export type RefusalReason = 'exists' | 'unknown' | 'missing' | 'fixed' | 'taken' | 'last_admin' | 'address' | 'other';

/** The reasons why nothing was changed. The console translates `reason`; `message` is in English. */
export interface PartnerRefused {
  kind: 'refused';
  problems: { reason: RefusalReason; field: string | null; message: string }[];
}

export type CreatedPartner = { kind: 'created'; secrets: IssuedSecret[] } | PartnerRefused;
export type ChangedPartner =
  | { kind: 'changed'; fields: string[]; secrets: IssuedSecret[] }
  | { kind: 'unchanged' }
  | PartnerRefused;

/** One row of a partner's history. */
export interface ListedPartnerChange {
  change_id: number;
  at: string;
  who: string;
  subject_kind: string;
  subject: string;
  change: string;
  fields: FieldDifference[];
}

export interface FieldDifference {
  field: string;
  /** null: unknown, or not set before. */
  before: unknown;
  after: unknown;
}

export interface ListedAccount {
  account_no: string;
  name: string;
  environment: 'uat' | 'production';
  enabled: boolean;
  warehouse_api: boolean;
  /** null: its documents have no callbacks. */
  callback_url: string | null;
  created_at: string;
  /** The last call with the account's secret, a client or a key, accurate to half a minute. */
  last_used_at: string | null;
  tenants: number;
  clients: number;
  keys: number;
}

export const environments = ['production', 'uat'] as const;

export const accountsList = consoleCall<PartnerList<ListedAccount>>()(
  '/accounts/list',
  record({
    ...partnerFilters,
    environment: Type.Optional(Type.Array(Type.Enum([...environments]), { minItems: 1, maxItems: 2 })),
  }),
);

export interface AccountDetail extends ListedAccount {
  secret: SecretFacts;
  callback_secret: SecretFacts;
  tenant_rows: ListedTenant[];
  client_rows: ListedClient[];
  key_rows: ListedLogisticsKey[];
  /** Changes of the account and of everything that belongs to it, newest first, at most `accountHistoryMax`. */
  history: ListedPartnerChange[];
}

export const accountHistoryMax = 100;
export const accountsDetail = consoleCall<AccountDetail>()('/accounts/detail', record({ account_no: AccountNo }));

/** null: no callbacks any more. */
const CallbackUrl = Type.Optional(
  Type.Union([
    Type.String({ pattern: '^https?://\\S+$', maxLength: 2048, description: 'an http(s) URL' }),
    Type.Null(),
  ]),
);

export const accountsCreate = consoleCall<CreatedPartner>()(
  '/accounts/create',
  record({
    account_no: PartnerName,
    name: Type.Optional(Title),
    environment: Type.Enum(['uat', 'production']),
    warehouse_api: Type.Optional(Type.Boolean()),
    callback_url: CallbackUrl,
  }),
);

export const accountsChange = consoleCall<ChangedPartner>()(
  '/accounts/change',
  record({
    account_no: PartnerName,
    name: Type.Optional(Title),
    warehouse_api: Type.Optional(Type.Boolean()),
    callback_url: CallbackUrl,
    enabled: Type.Optional(Type.Boolean()),
  }),
);

export interface ListedTenant {
  account_no: string;
  warehouse_tpw_id: string;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  receiving: 'on_create' | 'on_confirm';
  /** null: expired units are sold as well. */
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  /** null: its documents use the address of the account. */
  callback_url: string | null;
  callback_secret: SecretFacts;
  enabled: boolean;
  created_at: string;
}

const tenantRules = {
  callback_url: CallbackUrl,
  receiving: Type.Optional(Receiving),
  sellable_days_before_expiry: Type.Optional(SellableDays),
  over_delivery_percent: Type.Optional(OverDeliveryPercent),
};

export const tenantsCreate = consoleCall<CreatedPartner>()(
  '/tenants/create',
  record({
    account_no: PartnerName,
    warehouse_tpw_id: WarehouseTpwId,
    warehouse_no: PlaceNo,
    store_no: PlaceNo,
    ...tenantRules,
  }),
);

export const tenantsChange = consoleCall<ChangedPartner>()(
  '/tenants/change',
  record({
    account_no: PartnerName,
    warehouse_tpw_id: WarehouseTpwId,
    warehouse_no: Type.Optional(PlaceNo),
    store_no: Type.Optional(PlaceNo),
    ...tenantRules,
    enabled: Type.Optional(Type.Boolean()),
  }),
);

/** One permission for each kind of operation of the main API. */
export const clientPermissions = [
  'stocks.read',
  'stocks.write',
  'products.read',
  'products.write',
  'orders.read',
  'orders.write',
  'orders.recipients',
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
  /** Calls of a disabled account's clients are rejected too. */
  account_enabled: boolean;
  permissions: ClientPermission[];
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
  check_value: SecretFacts;
}

const Permissions = Type.Array(Type.Enum([...clientPermissions]), { maxItems: clientPermissions.length });

export const clientsList = consoleCall<PartnerList<ListedClient>>()('/clients/list', record(belongingFilters));

export const clientsCreate = consoleCall<CreatedPartner>()(
  '/clients/create',
  record({ client_id: PartnerName, account_no: PartnerName, permissions: Permissions }),
);

export const clientsChange = consoleCall<ChangedPartner>()(
  '/clients/change',
  record({ client_id: PartnerName, permissions: Type.Optional(Permissions), enabled: Type.Optional(Type.Boolean()) }),
);

export interface ListedLogisticsKey {
  account_no: string;
  name: string;
  /** Calls with a disabled account's keys are rejected too. */
  account_enabled: boolean;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  receiving: 'on_create' | 'on_confirm';
  /** Seconds that a form stays expected in UAT; 0: it is received at once. */
  receive_after_s: number;
  /** null: expired units are sold as well. */
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
  key: SecretFacts;
  callback_secret: SecretFacts;
}

export const logisticsKeysList = consoleCall<PartnerList<ListedLogisticsKey>>()(
  '/logistics-keys/list',
  record(belongingFilters),
);

const keyRules = {
  receiving: Type.Optional(Receiving),
  receive_after_s: Type.Optional(ReceiveAfter),
  sellable_days_before_expiry: Type.Optional(SellableDays),
  over_delivery_percent: Type.Optional(OverDeliveryPercent),
};

export const logisticsKeysCreate = consoleCall<CreatedPartner>()(
  '/logistics-keys/create',
  record({ account_no: PartnerName, name: PartnerName, warehouse_no: PlaceNo, store_no: PlaceNo, ...keyRules }),
);

export const logisticsKeysChange = consoleCall<ChangedPartner>()(
  '/logistics-keys/change',
  record({
    account_no: PartnerName,
    name: PartnerName,
    warehouse_no: Type.Optional(PlaceNo),
    store_no: Type.Optional(PlaceNo),
    ...keyRules,
    enabled: Type.Optional(Type.Boolean()),
  }),
);

/** How orders reach a warehouse. */
export type Connector =
  | { type: 'manual' }
  /** `changes_url`: where the warehouse accepts changes of orders that it has. */
  | { type: 'http'; url: string; changes_url?: string }
  | { type: 'simulator'; step_s?: number; short_pick_percent?: number; delay_percent?: number };

export const workingDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WorkingDay = (typeof workingDays)[number];

export interface ListedWarehouse {
  warehouse_no: number;
  name: string;
  connector: Connector;
  transfer_every_s: number;
  /** Orders before this time of a working day have to leave that day; null: there is no such rule. */
  cut_off: string | null;
  working_days: WorkingDay[];
  created_at: string;
  connector_secret: SecretFacts;
}

export interface ListedStore {
  store_no: number;
  name: string;
  type: string;
  created_at: string;
}

const percent = Type.Optional(Type.Integer({ minimum: 0, maximum: 100 }));
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 });
const HttpUrl = Type.String({ pattern: '^https?://\\S+$', maxLength: 2000, description: 'an http(s) URL' });
const ConnectorBody = Type.Union([
  record({ type: Type.Enum(['manual']) }),
  record({
    type: Type.Enum(['http']),
    url: HttpUrl,
    changes_url: Type.Optional(HttpUrl),
  }),
  record({
    type: Type.Enum(['simulator']),
    step_s: Type.Optional(Seconds),
    short_pick_percent: percent,
    delay_percent: percent,
  }),
]);
const TimeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of day such as 15:00',
});
const warehouseFields = {
  name: Type.Optional(Title),
  connector: Type.Optional(ConnectorBody),
  transfer_every_s: Type.Optional(Seconds),
  cut_off: Type.Optional(Type.Union([TimeOfDay, Type.Null()])),
  working_days: Type.Optional(Type.Array(Type.Enum([...workingDays]), { minItems: 1, maxItems: workingDays.length })),
};

export const warehousesList = consoleCall<PartnerList<ListedWarehouse>>()('/warehouses/list', Nothing);
export const warehousesCreate = consoleCall<CreatedPartner>()(
  '/warehouses/create',
  record({ warehouse_no: PlaceNo, ...warehouseFields }),
);
export const warehousesChange = consoleCall<ChangedPartner>()(
  '/warehouses/change',
  record({ warehouse_no: PlaceNo, ...warehouseFields }),
);

const storeFields = { name: Type.Optional(Title), type: Type.Optional(Title) };

export const storesList = consoleCall<PartnerList<ListedStore>>()('/stores/list', Nothing);
export const storesCreate = consoleCall<CreatedPartner>()(
  '/stores/create',
  record({ store_no: PlaceNo, ...storeFields }),
);
export const storesChange = consoleCall<ChangedPartner>()(
  '/stores/change',
  record({ store_no: PlaceNo, ...storeFields }),
);

/** The URLs that a partner's developers need, in addition to the secret. */
export interface PartnerAddresses {
  token_url: string;
  main_url: string;
  warehouse_url: string;
  logistics_url: string;
  docs_url: string;
}

export const partnersAddresses = consoleCall<PartnerAddresses>()('/partners/addresses', Nothing);

export const overlapMaxSeconds = 30 * 86_400;

/** The previous secret stays valid for the overlap. The new one is in this response and cannot be read again. */
export const secretsRotate = consoleCall<
  { kind: 'rotated'; secret: IssuedSecret; previous_valid_until: string | null } | { kind: 'not_found' }
>()(
  '/secrets/rotate',
  record({
    kind: Type.Enum([
      'account_secret',
      'check_value',
      'logistics_key',
      'callback_secret',
      'account_callback_secret',
      'tenant_callback_secret',
      'connector_secret',
    ]),
    /** `ALPHA`, `alpha-erp`, `ALPHA/wms`, `ALPHA/TPW-A` (a slash in the number of the account is `%2F`), or the number of a warehouse. */
    owner: Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,400}$', description: '1-400 characters' }),
    overlap_s: Type.Integer({ minimum: 0, maximum: overlapMaxSeconds }),
  }),
);
