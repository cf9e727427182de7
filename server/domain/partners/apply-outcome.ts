import type { Message } from '../../../messages/message.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import type { SecretKind } from './secret.ts';
import type { SubjectKind } from './subject.ts';

export interface PartnerChange {
  kind: SubjectKind;
  name: string;
  change: 'created' | 'changed';
  fields: string[];
}

/** A secret that we generated; it is shown only once. */
export interface IssuedSecret {
  kind: SecretKind;
  owner: string;
  value: string;
}

/** A secret that was rotated after the file had set it: the rotation remains valid. */
export interface RotatedSecret {
  kind: SecretKind;
  owner: string;
}

/** Why a well-formed item is rejected, as a code for translations. */
export type RefusalReason = 'exists' | 'unknown' | 'missing' | 'fixed' | 'taken' | 'last_admin' | 'address';

export interface PartnerMistake extends Mistake<Message | string> {
  reason?: RefusalReason;
}

export type ApplyOutcome =
  | { kind: 'applied'; changes: PartnerChange[]; issued: IssuedSecret[]; kept: RotatedSecret[]; warnings: string[] }
  | { kind: 'refused'; mistakes: PartnerMistake[] }
  | { kind: 'not_empty' };
