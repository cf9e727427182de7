import type { ApplyOutcome, IssuedSecret, PartnerChange } from './domain/partners/apply-provisioning.ts';
import { secretKinds } from './domain/partners/secret.ts';

type Applied = Extract<ApplyOutcome, { kind: 'applied' }>;

export function appliedAnswer({ changes, issued, warnings }: Applied): {
  changes: PartnerChange[];
  secrets: IssuedSecret[];
  warnings: string[];
} {
  return { changes, secrets: issued, warnings };
}

/** What was changed, and the secrets that were made: the only time they are seen. */
export function wordApplied({ changes, issued, kept, warnings }: Applied): string {
  const notes = [
    ...kept.map(
      ({ kind, owner }) => `note: the ${secretKinds[kind].called} of ${owner} was rotated since the file set it; the rotation stands`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  if (changes.length === 0) return `${['no changes', ...notes].join('\n')}\n`;
  const lines = changes.map(
    ({ kind, name, change, fields }) => `${change} ${kind} ${name}${change === 'changed' ? `: ${fields.join(', ')}` : ''}`,
  );
  return `${[...lines, ...notes, ...wordIssued(issued)].join('\n')}\n`;
}

function wordIssued(issued: IssuedSecret[]): string[] {
  if (issued.length === 0) return [];
  return [
    '',
    'new secrets, shown this once:',
    ...issued.map(({ kind, owner, value }) => `  ${secretKinds[kind].called} of ${owner}: ${value}`),
  ];
}
