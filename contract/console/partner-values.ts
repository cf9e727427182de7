import { Type } from 'typebox';
import { CallerIdentifier } from '../values.ts';

/** As a provisioning file would have it: names are visible ASCII, titles are for people. */
export const PartnerName = Type.String({ pattern: '^[!-~]{1,64}$', description: '1-64 visible ASCII characters without spaces' });
export const WarehouseTpwId = CallerIdentifier;
export const Title = Type.String({ pattern: '^(?!\\s)[^\\u0000-\\u001f\\u007f]{1,200}(?<!\\s)$', description: '1-200 characters' });
export const PlaceNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const Receiving = Type.Enum(['on_create', 'on_confirm']);
export const OverDeliveryPercent = Type.Integer({ minimum: 0, maximum: 1000 });
export const SellableDays = Type.Union([Type.Integer({ minimum: 0, maximum: 36_500 }), Type.Null()]);

/** Lists of partners are short; whoever has more than this sees the first ones, and finds the others by their account. */
export const partnersListedMax = 2000;

export interface PartnerList<Row> {
  rows: Row[];
  /** There are more than are listed. */
  is_cut: boolean;
}

export type RotatableSecret = 'account_secret' | 'check_value' | 'logistics_key' | 'callback_secret' | 'connector_secret';

/** Of a secret: that there is one. Never its value. */
export interface SecretFacts {
  kind: RotatableSecret;
  owner: string;
  /** null: there is none. */
  since: string | null;
  /** While a rotation goes on: until then the one before works as well. */
  previous_valid_until: string | null;
}

/** A secret that was just made: the only time that it is told. */
export interface IssuedSecret {
  kind: RotatableSecret | 'operator_password';
  owner: string;
  value: string;
}

export type RefusalReason = 'exists' | 'unknown' | 'missing' | 'fixed' | 'taken' | 'last_admin' | 'other';

/** Why nothing was changed; the page words the reason, and `message` says it in English. */
export interface PartnerRefused {
  kind: 'refused';
  problems: { reason: RefusalReason; field: string | null; message: string }[];
}

export type CreatedPartner = { kind: 'created'; secrets: IssuedSecret[] } | PartnerRefused;
export type ChangedPartner = { kind: 'changed'; fields: string[]; secrets: IssuedSecret[] } | { kind: 'unchanged' } | PartnerRefused;

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
  /** null: not known, or not there before. */
  before: unknown;
  after: unknown;
}
