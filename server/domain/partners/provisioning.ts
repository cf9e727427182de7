import { type Static, type TProperties, Type } from 'typebox';
import type { BrokenRule } from '../../../messages/errors.ts';
import { isPostAddress } from '../../platform/outgoing/target.ts';

/** The permissions of a client, one per operation of the main API. */
export const permissions = [
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
export type Permission = (typeof permissions)[number];
export const environments = ['uat', 'production'] as const;
export const workingDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WorkingDay = (typeof workingDays)[number];
export const receivingRules = ['on_create', 'on_confirm'] as const;
export const operatorRoles = ['admin', 'staff', 'read-only'] as const;
export const operatorWarehousesMax = 50;
export const connectorTypes = ['manual', 'http', 'simulator'] as const;

const record = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false });
const optional = Type.Optional;

/** Used in header values and command-line arguments: visible ASCII. */
const PartnerName = Type.String({
  pattern: '^[!-~]{1,64}$',
  description: '1-64 visible ASCII characters without spaces',
});
/** Half of a surrogate pair (\p{Cs}) is excluded because it cannot be stored as UTF-8. */
const textCharacter = '[^\\u0000-\\u001f\\u007f\\p{Cs}]';
const textDescription = 'valid Unicode characters, no control characters';
const trimmedText = (lengthMax: number) =>
  Type.String({
    pattern: `^(?!\\s)${textCharacter}{1,${lengthMax}}(?<!\\s)$`,
    description: `1-${lengthMax} ${textDescription}, no white space at the ends`,
  });
/** The same as in the wire contract: no invisible characters, no white space at either end. */
const CallerIdentifier = Type.String({
  pattern: '^(?!\\s)[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]{1,125}(?<!\\s)$',
  description: '1-125 characters, no control, zero-width or bidirectional characters, no white space at the ends',
});
const Title = trimmedText(200);
const SecretText = Type.String({ pattern: `^${textCharacter}{1,256}$`, description: `1-256 ${textDescription}` });
/** Sent as a header value. */
const KeyText = Type.String({
  pattern: '^[!-~]{1,256}$',
  description: '1-256 visible ASCII characters without spaces',
});
const PasswordText = Type.String({ pattern: `^${textCharacter}{8,256}$`, description: `8-256 ${textDescription}` });
/** A new secret must also have the length that Standard Webhooks requires (`isUsableCallbackSecret`). */
const CallbackSecretText = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{4,344}={0,2}$',
  description: 'whsec_ followed by base64',
});
const PostAddress = Type.Refine(Type.String({ maxLength: 2048 }), isPostAddress, (): BrokenRule => 'url_not_plain');
/** null: no callbacks any more. The address guard judges the host (`callback-address.ts`). */
const CallbackAddress = Type.Union([PostAddress, Type.Null()]);
/** The whole numbers that a partner may have, from the first to the second. Commands name them in their messages. */
export const partnerNumbers = {
  placeNo: [1, 2_147_483_647],
  seconds: [1, 86_400],
  percent: [0, 100],
  overDeliveryPercent: [0, 1000],
  sellableDays: [0, 36_500],
  receiveAfterSeconds: [0, 86_400],
} as const satisfies Record<string, readonly [number, number]>;

function numberFrom([minimum, maximum]: readonly [number, number], more: { description?: string } = {}) {
  return Type.Integer({ minimum, maximum, ...more });
}

const SmallNumber = numberFrom(partnerNumbers.placeNo);

const Connector = record({
  type: Type.Enum(connectorTypes),
  url: optional(PostAddress),
  changes_url: optional(PostAddress),
  secret: optional(SecretText),
  step_s: optional(numberFrom(partnerNumbers.seconds)),
  short_pick_percent: optional(numberFrom(partnerNumbers.percent)),
  delay_percent: optional(numberFrom(partnerNumbers.percent)),
});

/** Orders before this time of a working day, in Taipei, have to leave that day. null: there is no such rule. */
const CutOff = Type.Union([
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'a time of day such as 15:00' }),
  Type.Null(),
]);

const Warehouse = record({
  warehouse_no: SmallNumber,
  name: optional(Title),
  connector: optional(Connector),
  transfer_every_s: optional(numberFrom(partnerNumbers.seconds)),
  cut_off: optional(CutOff),
  working_days: optional(Type.Array(Type.Enum(workingDays), { minItems: 1, maxItems: 7, uniqueItems: true })),
});

const Store = record({ store_no: SmallNumber, name: optional(Title), type: optional(Title) });

/** How many units more than announced may arrive, per product. */
const OverDelivery = numberFrom(partnerNumbers.overDeliveryPercent, { description: 'percent, 0-1000' });

/**
 * How many days before its expiry a unit is sold for the last time. A new partner without a value gets 0; null means no
 * limit.
 */
const SellableDays = Type.Union([numberFrom(partnerNumbers.sellableDays), Type.Null()]);

/** How long forms of a UAT key stay expected; a new key without a value gets 30. */
const ReceiveAfter = numberFrom(partnerNumbers.receiveAfterSeconds, { description: 'seconds, 0-86400' });

const Tenant = record({
  warehouse_tpw_id: CallerIdentifier,
  warehouse_no: optional(SmallNumber),
  store_no: optional(SmallNumber),
  receiving: optional(Type.Enum(receivingRules)),
  sellable_days_before_expiry: optional(SellableDays),
  over_delivery_percent: optional(OverDelivery),
  callback_url: optional(CallbackAddress),
  callback_secret: optional(CallbackSecretText),
  enabled: optional(Type.Boolean()),
});

const Account = record({
  account_no: PartnerName,
  name: optional(Title),
  environment: optional(Type.Enum(environments)),
  secret: optional(SecretText),
  warehouse_api: optional(Type.Boolean()),
  callback_url: optional(CallbackAddress),
  callback_secret: optional(CallbackSecretText),
  enabled: optional(Type.Boolean()),
  tenants: optional(Type.Array(Tenant)),
});

const Client = record({
  client_id: PartnerName,
  check_value: optional(SecretText),
  account_no: optional(PartnerName),
  permissions: optional(Type.Array(Type.Enum(permissions))),
  enabled: optional(Type.Boolean()),
});

const LogisticsKey = record({
  name: PartnerName,
  key: optional(KeyText),
  account_no: PartnerName,
  warehouse_no: optional(SmallNumber),
  store_no: optional(SmallNumber),
  receiving: optional(Type.Enum(receivingRules)),
  receive_after_s: optional(ReceiveAfter),
  sellable_days_before_expiry: optional(SellableDays),
  over_delivery_percent: optional(OverDelivery),
  callback_secret: optional(CallbackSecretText),
  enabled: optional(Type.Boolean()),
});

const Operator = record({
  username: PartnerName,
  password: optional(PasswordText),
  role: optional(Type.Enum(operatorRoles)),
  /** The warehouses in which the operator works; none: all. */
  warehouse_nos: optional(Type.Array(SmallNumber, { maxItems: operatorWarehousesMax })),
  enabled: optional(Type.Boolean()),
});

/**
 * The desired state. A field that is left out of an existing partner keeps its value; leaving something out never
 * removes it. A secret that differs from the one the file last set replaces it at once. `rotate` is the way with an
 * overlap, and applying the same file again does not undo a rotation.
 */
export const Provisioning = record({
  warehouses: optional(Type.Array(Warehouse)),
  stores: optional(Type.Array(Store)),
  accounts: optional(Type.Array(Account)),
  clients: optional(Type.Array(Client)),
  logistics_keys: optional(Type.Array(LogisticsKey)),
  operators: optional(Type.Array(Operator)),
});
export type Provisioning = Static<typeof Provisioning>;
