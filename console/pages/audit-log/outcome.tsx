import { Text } from '@mantine/core';
import type { AuditRow } from '../../../contract/console/audit-log.ts';
import { useWords } from '../../kit/language.tsx';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { words } from './words.ts';

const successes = new Set([
  'added',
  'advanced',
  'audited',
  'cancelled',
  'changed',
  'claimed',
  'confirmed',
  'corrected',
  'counted',
  'created',
  'deleted',
  'done',
  'emptied',
  'ended',
  'erased',
  'exported',
  'finished',
  'found',
  'moved',
  'packed',
  'paused',
  'planned',
  'printed',
  'queued',
  'redelivered',
  'regraded',
  'repaired',
  'reprinted',
  'requested',
  'reset',
  'resumed',
  'retried',
  'rotated',
  'saved',
  'short',
  'signed_in',
  'signed_out',
  'stopped',
  'undone',
  'viewed',
  'waiting',
]);
const withoutEffect = new Set(['already', 'differs', 'known', 'own', 'repeated', 'same_password', 'unchanged']);

/** The outcome of an action. A bulk action has a count per outcome: `cancelled 3, too_late 1`. */
export function Outcome({ row: { source, outcome } }: { row: AuditRow }) {
  const say = useWords(words);
  if (source === 'change') return <StatusBadge tone="done">{say.wasMade}</StatusBadge>;
  if (outcome === null)
    return (
      <Text component="span" inherit c="dimmed">
        {say.unknownOutcome}
      </Text>
    );
  return <OutcomeNames outcome={outcome} />;
}

export function OutcomeNames({ outcome }: { outcome: string }) {
  const say = useWords(words);
  const names: Record<string, string> = say.outcomeName;
  return outcome.split(', ').map((part) => {
    const [kind = part, count] = part.split(' ');
    const name = names[kind] ?? kind;
    return (
      <div key={part}>
        <StatusBadge tone={toneOf(kind)}>{count === undefined ? name : say.several(name, count)}</StatusBadge>
      </div>
    );
  });
}

function toneOf(kind: string): Tone {
  if (successes.has(kind)) return 'done';
  return withoutEffect.has(kind) ? 'stopped' : 'failed';
}
