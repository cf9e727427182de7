import type { ApplyOutcome, IssuedSecret } from './domain/partners/apply-provisioning.ts';
import { secretKinds } from './domain/partners/secret.ts';

/** What was changed, and the secrets that were made: the only time they are seen. */
export function wordApplied({ changes, issued }: Extract<ApplyOutcome, { kind: 'applied' }>): string {
  if (changes.length === 0) return 'no changes\n';
  const lines = changes.map(
    ({ kind, name, change, fields }) => `${change} ${kind} ${name}${change === 'changed' ? `: ${fields.join(', ')}` : ''}`,
  );
  return `${[...lines, ...wordIssued(issued)].join('\n')}\n`;
}

export function wordIssued(issued: IssuedSecret[]): string[] {
  if (issued.length === 0) return [];
  return [
    '',
    'new secrets, shown this once:',
    ...issued.map(({ kind, owner, value }) => `  ${secretKinds[kind].called} of ${owner}: ${value}`),
  ];
}
