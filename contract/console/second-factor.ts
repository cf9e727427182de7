import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record } from './console-values.ts';
import { OneTimeCode } from './sessions.ts';

export interface SecondFactorState {
  kind: 'state';
  /** Since when one-time codes are in use; null: they are not. */
  enrolled_at: string | null;
  recovery_codes_left: number;
  /** The settings require them of this operator. */
  is_required: boolean;
  /** An operator of an identity provider has its second factor there. */
  is_offered: boolean;
}

export const secondFactorState = consoleCall<SecondFactorState>()('/second-factor/state', Nothing);

/** The password, and a code if codes are in use already: an unattended session proves neither. */
const Proof = { password: Type.String({ minLength: 1, maxLength: 256 }), code: Type.Optional(OneTimeCode) };

type Unproven =
  | { kind: 'wrong_password' }
  | { kind: 'wrong_code' }
  /** This operator has had as many wrong codes as are allowed in a day. */
  | { kind: 'too_many_codes'; retry_after_s: number }
  | { kind: 'throttled'; retry_after_s: number };

/** Nothing changes before the confirmation. */
export const secondFactorBegin = consoleCall<
  | {
      kind: 'begun';
      /** For people who cannot scan the QR code. */
      secret: string;
      /** The content of the QR code. */
      uri: string;
      ticket: string;
    }
  | Unproven
>()('/second-factor/begin', record(Proof));

export const secondFactorConfirm = consoleCall<
  | { kind: 'confirmed'; recovery_codes: string[]; sessions_ended: number }
  | { kind: 'wrong_code' }
  | { kind: 'expired' }
  | { kind: 'throttled'; retry_after_s: number }
>()('/second-factor/confirm', record({ ticket: Type.String({ minLength: 1, maxLength: 1024 }), code: OneTimeCode }));

export const secondFactorRemove = consoleCall<
  { kind: 'removed' } | { kind: 'not_enrolled' } | { kind: 'required' } | Unproven
>()('/second-factor/remove', record(Proof));
