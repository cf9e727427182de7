import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, Nothing, record, Uuid } from './console-values.ts';
import {
  clientPermissions,
  overlapMaxSeconds,
  PartnerName,
  PlaceNo,
  type RefusalReason,
  type RotatableSecret,
  Title,
  WarehouseTpwId,
} from './partners.ts';

// The way of a new partner: from the wizard over its secrets to its first calls.

export const linkHours = { min: 1, max: 336 };
export type LinkLanguage = 'en' | 'zh-TW';

/** Each request has an id of its own. A repeat after a lost response has the same one, and finds the same link. */
const linkFields = {
  request_id: Uuid,
  /** How long the link can be opened. */
  hours: Type.Integer({ minimum: linkHours.min, maximum: linkHours.max }),
  /** The language of its page. */
  language: Type.Enum(['en', 'zh-TW']),
};

/** A link that a partner opens once to collect its secrets. */
export interface IssuedLink {
  link_id: string;
  /** Only the response to its request has it; null: it was opened or revoked, or has expired since. */
  url: string | null;
  language: LinkLanguage;
  expires_at: string;
}

/** A mistake in a field of the wizard, such as `tenant.warehouse_no`; null: in no single one. */
export interface ConnectProblem {
  reason: RefusalReason;
  field: string | null;
  message: string;
}

/** Creates an account, its tenant, client and key, and a link to all their secrets: everything or nothing. */
export const onboardingConnect = consoleCall<
  | { kind: 'connected'; account_no: string; link: IssuedLink }
  | { kind: 'refused'; problems: ConnectProblem[] }
  | { kind: 'other_request' }
>()(
  '/onboarding/connect',
  record({
    ...linkFields,
    account: record({
      account_no: PartnerName,
      name: Type.Optional(Title),
      environment: Type.Enum(['uat', 'production']),
      warehouse_api: Type.Boolean(),
      callback_url: Type.Optional(
        Type.String({ pattern: '^https?://\\S+$', maxLength: 2048, description: 'an http(s) URL' }),
      ),
    }),
    /** A new store, to which tenant and key then belong. */
    store: Type.Optional(record({ store_no: PlaceNo, name: Type.Optional(Title) })),
    tenant: Type.Optional(record({ warehouse_tpw_id: WarehouseTpwId, warehouse_no: PlaceNo, store_no: PlaceNo })),
    client: Type.Optional(
      record({
        client_id: PartnerName,
        permissions: Type.Array(Type.Enum([...clientPermissions]), { maxItems: clientPermissions.length }),
      }),
    ),
    logistics_key: Type.Optional(record({ name: PartnerName, warehouse_no: PlaceNo, store_no: PlaceNo })),
  }),
);

export const secretsIssuedMax = 50;

/** Rotates these secrets of an account, and issues one link to the new ones. */
export const handoverIssue = consoleCall<
  { kind: 'issued'; link: IssuedLink } | { kind: 'not_found' } | { kind: 'other_request' }
>()(
  '/handover/issue',
  record({
    ...linkFields,
    account_no: AccountNo,
    secrets: Type.Array(
      record({
        kind: Type.Enum([
          'account_secret',
          'check_value',
          'logistics_key',
          'callback_secret',
          'account_callback_secret',
          'tenant_callback_secret',
        ]),
        owner: Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,400}$', description: '1-400 characters' }),
      }),
      { minItems: 1, maxItems: secretsIssuedMax, uniqueItems: true },
    ),
    overlap_s: Type.Integer({ minimum: 0, maximum: overlapMaxSeconds }),
  }),
);

export interface ListedLink {
  link_id: string;
  /** `waiting`: it can be opened. */
  state: 'waiting' | 'opened' | 'expired' | 'revoked';
  secrets: { kind: RotatableSecret; owner: string }[];
  language: LinkLanguage;
  created_at: string;
  created_by: string;
  expires_at: string;
  opened_at: string | null;
  /** The address from which it was opened. */
  opened_from: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
}

export const linksListedMax = 20;

/** The newest links of an account. */
export const handoverLinks = consoleCall<{ links: ListedLink[] }>()(
  '/handover/links',
  record({ account_no: AccountNo }),
);

/** `ended`: it was opened or revoked before, or has expired. */
export const handoverRevoke = consoleCall<{ kind: 'revoked' | 'ended' | 'not_found' }>()(
  '/handover/revoke',
  record({ account_no: AccountNo, link_id: Uuid }),
);

export type StepKind = 'call' | 'product' | 'inbound' | 'order' | 'callback';

/** A step from an account without calls to one that works. */
export interface FirstStep {
  kind: StepKind;
  done: {
    at: string;
    /** The id of the product, document or callback; null for a call. */
    id: number | null;
    /** The trace id of the call, while it is in the request log. */
    trace_id: string | null;
    /** The number of the document, the event of the callback, or the API that was called. */
    name: string | null;
    /** A test callback. */
    is_test: boolean;
  } | null;
  /** While the step is open: what failed most often in the last seven days. */
  obstacle:
    | {
        kind: 'calls';
        endpoint: string;
        status: number;
        code: string | null;
        reason: Message | string | null;
        count: number;
        trace_id: string;
        last_at: string;
      }
    | {
        kind: 'callback';
        callback_id: number;
        http_status: number | null;
        reason: Message | string | null;
        last_at: string;
      }
    | null;
}

export interface AccountHealth {
  account_no: string;
  /** Whole hours, at most about five minutes old. Errors are responses with a status from 400 on. */
  calls_24h: number;
  errors_24h: number;
  calls_7d: number;
  errors_7d: number;
  /** At most `healthCountMax`, then one more. */
  receivers_failing: number;
  callbacks_waiting: number;
  /** Given up within seven days. */
  callbacks_failed: number;
}

export const healthCountMax = 1000;
export const dayCountMax = 10_000;

/** The steps of an account, its health, and its orders per day. */
export const accountsProgress = consoleCall<{
  steps: FirstStep[];
  health: AccountHealth;
  /** The last seven days in Taipei, oldest first. */
  orders_by_day: { day: string; count: number; is_more: boolean }[];
}>()('/accounts/progress', record({ account_no: AccountNo }));

/** The health of all accounts. */
export const accountsHealth = consoleCall<{ accounts: AccountHealth[] }>()('/accounts/health', Nothing);
