import type { FieldDifference, ListedPartnerChange } from '../../../contract/console/partner-values.ts';
import type { PartnerChangeListRow } from '../../domain/partners/partner-list-queries.ts';

export function wordPartnerChange(row: PartnerChangeListRow): ListedPartnerChange {
  const { change_id, at, actor, subject_kind, subject, change, fields, before } = row;
  return { change_id, at, who: whoOf(actor), subject_kind, subject, change, fields: differencesOf(fields, before) };
}

/** Of what was changed, what it was and what it became. */
export function differencesOf(after: Record<string, unknown>, before: Record<string, unknown> | null = null): FieldDifference[] {
  return Object.entries(after).map(([field, value]) => ({ field, before: before?.[field] ?? null, after: value }));
}

/** Operators are known by their names; others as the audit log has them. */
export function whoOf(actor: string): string {
  return actor.replace(/^operator (?=\S+$)/, '');
}
