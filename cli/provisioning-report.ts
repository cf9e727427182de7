import type { ApplyOutcome, IssuedSecret, PartnerChange } from '../server/domain/partners/apply-outcome.ts';
import { secretKinds } from '../server/domain/partners/secret.ts';

type Applied = Extract<ApplyOutcome, { kind: 'applied' }>;

export function appliedAnswer({ changes, issued, warnings }: Applied): {
  changes: PartnerChange[];
  secrets: IssuedSecret[];
  warnings: string[];
} {
  return { changes, secrets: issued, warnings };
}

/** Formats the changes and the generated secrets, which are shown only this once. */
export function formatApplied({ changes, issued, kept, warnings }: Applied): string {
  const notes = [
    ...kept.map(
      ({ kind, owner }) =>
        `note: the ${secretKinds[kind].called} of ${owner} was rotated after the file set it; the rotated secret is kept`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  if (changes.length === 0) return `${['no changes', ...notes].join('\n')}\n`;
  const lines = changes.map(
    ({ kind, name, change, fields }) =>
      `${change} ${kind} ${name}${change === 'changed' ? `: ${fields.join(', ')}` : ''}`,
  );
  return `${[...lines, ...notes, ...formatIssued(issued)].join('\n')}\n`;
}

function formatIssued(issued: IssuedSecret[]): string[] {
  if (issued.length === 0) return [];
  return [
    '',
    'new secrets, shown only once:',
    ...issued.map(({ kind, owner, value }) => `  ${secretKinds[kind].called} of ${owner}: ${value}`),
  ];
}
