import { Type } from 'typebox';
import { PlaceNumber } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import {
  type ChangedPartner,
  type CreatedPartner,
  type IssuedSecret,
  type PartnerList,
  PartnerName,
  partnerFilters,
} from './partners.ts';
import type { OperatorRole } from './sessions.ts';

export interface ListedOperator {
  username: string;
  role: OperatorRole;
  /** The warehouses in which the operator works; null: all. Administrators always work in all. */
  warehouse_nos: number[] | null;
  enabled: boolean;
  created_at: string;
  password_since: string | null;
  last_signed_in_at: string | null;
  open_sessions: number;
  has_weak_password: boolean;
  /** Since when one-time codes are in use; null: they are not. */
  totp_since: string | null;
  /** Signs in with the identity provider. */
  is_external: boolean;
  /** Until when a password works although passwords are switched off. */
  password_until: string | null;
}

/** Why a new password is refused. */
export type PasswordWeakness = 'short' | 'common' | 'name' | 'pattern';

const Role = Type.Enum(['admin', 'staff', 'read-only']);
/** None: all warehouses. */
const OwnWarehouses = Type.Array(PlaceNumber, { maxItems: 50 });
/** The rules for new passwords have answers of their own. */
const NewPassword = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,256}$', description: '1-256 characters' });
const OldPassword = Type.String({ minLength: 1, maxLength: 256 });

export const operatorsList = consoleCall<PartnerList<ListedOperator>>()(
  '/operators/list',
  record({ ...partnerFilters, role: Type.Optional(Type.Array(Role, { minItems: 1, maxItems: 3 })) }),
);

export const operatorsCreate = consoleCall<CreatedPartner>()(
  '/operators/create',
  record({ username: PartnerName, role: Role, warehouse_nos: Type.Optional(OwnWarehouses) }),
);

export const operatorsChange = consoleCall<ChangedPartner>()(
  '/operators/change',
  record({
    username: PartnerName,
    role: Type.Optional(Role),
    warehouse_nos: Type.Optional(OwnWarehouses),
    enabled: Type.Optional(Type.Boolean()),
  }),
);

/** Ends all sessions of that operator. For one's own password there is `operatorsChangeOwnPassword`. */
export const operatorsResetPassword = consoleCall<
  { kind: 'reset'; secret: IssuedSecret } | { kind: 'not_found' } | { kind: 'own' }
>()('/operators/reset-password', record({ username: PartnerName }));

export const operatorsChangeOwnPassword = consoleCall<
  | { kind: 'changed'; sessions_ended: number }
  | { kind: 'wrong_password' }
  | { kind: 'same_password' }
  | { kind: 'weak_password'; weakness: PasswordWeakness }
  | { kind: 'throttled'; retry_after_s: number }
>()('/operators/change-own-password', record({ old_password: OldPassword, new_password: NewPassword }));

/** Removes the one-time codes of an operator who has lost them, and ends all sessions of that operator. */
export const operatorsResetTotp = consoleCall<
  { kind: 'reset'; sessions_ended: number } | { kind: 'not_enrolled' } | { kind: 'own' }
>()('/operators/reset-totp', record({ username: PartnerName }));
