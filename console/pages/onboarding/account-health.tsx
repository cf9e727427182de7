import { Text } from '@mantine/core';
import type { AccountHealth } from '../../../contract/console/onboarding.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { formatCapped, formatNumber, formatPercent } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { StatTile, StatTiles } from '../../kit/stat-tile.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useProgress } from './first-steps.tsx';
import { words } from './words.ts';

const healthCountMax = 1000;
const dayCountMax = 10_000;

/** An error rate from here on needs attention. */
const errorShareMax = 0.05;

/** null: there were no calls. */
function errorShareOf(errors: number, calls: number): number | null {
  return calls === 0 ? null : errors / calls;
}

/** The health of an account at a glance. */
export function AccountHealthSection({ accountNo }: { accountNo: string }) {
  const say = useWords(words);
  const asked = useProgress(accountNo);
  return (
    <Section title={say.health}>
      <AskedContent asked={asked} lines={3}>
        {({ health, orders_by_day }) => (
          <>
            <Tiles health={health} />
            <Text size="sm" mt="sm">
              {say.ordersByDay}:{' '}
              {orders_by_day.map(({ day, count }) => `${day.slice(5)} ${formatCapped(count, dayCountMax)}`).join(' · ')}
            </Text>
            <Text size="xs" c="dimmed" mt="xs">
              {say.healthHint}
            </Text>
          </>
        )}
      </AskedContent>
    </Section>
  );
}

function Tiles({ health }: { health: AccountHealth }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const account = encodeURIComponent(health.account_no);
  const errors = (label: string, count: number, calls: number, minutes: number) => {
    const share = errorShareOf(count, calls);
    return (
      <StatTile
        label={label}
        value={formatNumber(count)}
        note={share === null ? say.noCalls : say.ofCalls(formatPercent(share, language))}
        attention={share !== null && share > errorShareMax}
        to={`/requests?account=${account}&minutes=${minutes}&status=4xx%2C5xx`}
      />
    );
  };
  return (
    <StatTiles>
      <StatTile
        label={say.callsDay}
        value={formatNumber(health.calls_24h)}
        to={`/requests?account=${account}&minutes=1440`}
      />
      {errors(say.errorsDay, health.errors_24h, health.calls_24h, 1440)}
      {errors(say.errorsWeek, health.errors_7d, health.calls_7d, 10_080)}
      <StatTile
        label={say.callbacksFailing}
        value={formatCapped(health.callbacks_failed, healthCountMax)}
        note={say.failingReceivers(formatCapped(health.receivers_failing, healthCountMax))}
        attention={health.callbacks_failed + health.receivers_failing > 0}
        to={`/callbacks?account=${account}&status=failed`}
      />
      <StatTile
        label={say.callbacksWaiting}
        value={formatCapped(health.callbacks_waiting, healthCountMax)}
        to={`/callbacks?account=${account}&status=pending`}
      />
    </StatTiles>
  );
}

/** The error rates of a day and a week, for the list of accounts. */
export function ErrorRate({ health }: { health: AccountHealth | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (health === undefined) return '…';
  const shares = [errorShareOf(health.errors_24h, health.calls_24h), errorShareOf(health.errors_7d, health.calls_7d)];
  if (shares[1] === null)
    return (
      <Text component="span" inherit c="dimmed">
        {say.noCalls}
      </Text>
    );
  const text = shares
    .map((share) => (share === null || share === undefined ? '–' : formatPercent(share, language)))
    .join(' / ');
  return shares.some((share) => (share ?? 0) > errorShareMax) ? <StatusBadge tone="failed">{text}</StatusBadge> : text;
}

/** Whether callbacks of the account arrive, for the list of accounts. */
export function CallbackHealth({ health }: { health: AccountHealth | undefined }) {
  const say = useWords(words);
  if (health === undefined) return '…';
  const failing = health.callbacks_failed + health.receivers_failing;
  if (failing > 0) return <StatusBadge tone="failed">{say.failing(formatCapped(failing, healthCountMax))}</StatusBadge>;
  if (health.callbacks_waiting === 0) return <StatusBadge tone="done">{say.fine}</StatusBadge>;
  return <StatusBadge tone="active">{say.waiting(formatCapped(health.callbacks_waiting, healthCountMax))}</StatusBadge>;
}
