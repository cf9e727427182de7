import { Text } from '@mantine/core';
import type { SecretFacts } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import { words } from './words.ts';

export function EnabledBadge({ enabled, accountEnabled = true }: { enabled: boolean; accountEnabled?: boolean }) {
  const say = useWords(words);
  if (!enabled) return <StatusBadge tone="stopped">{say.disabled}</StatusBadge>;
  return accountEnabled ? (
    <StatusBadge tone="done">{say.enabled}</StatusBadge>
  ) : (
    <StatusBadge tone="stopped">{say.accountDisabled}</StatusBadge>
  );
}

export function LastUsed({ at }: { at: string | null }) {
  const say = useWords(words);
  return at === null ? (
    <Text component="span" inherit c="dimmed">
      {say.never}
    </Text>
  ) : (
    <Time at={at} />
  );
}

/** The age of a secret, and until when the previous one is valid. */
export function SecretAge({ secret }: { secret: SecretFacts }) {
  const say = useWords(words);
  return (
    <div>
      <Time at={secret.since} />
      {secret.is_weak && <StatusBadge tone="failed">{say.weakSecret}</StatusBadge>}
      {secret.previous_valid_until !== null && (
        <Text component="div" size="xs" c="dimmed">
          {say.oldUntil(formatInstant(secret.previous_valid_until).slice(0, 16))}
        </Text>
      )}
    </div>
  );
}

/** The number and name of a warehouse or store. */
export function Place({ number, name }: { number: number; name: string }) {
  return (
    <span>
      {number}{' '}
      <Text component="span" inherit c="dimmed">
        {name}
      </Text>
    </span>
  );
}
