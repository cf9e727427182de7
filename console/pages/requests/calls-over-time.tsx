import type { requestsTrend } from '../../../contract/console/trends.ts';
import { Chart } from '../../kit/chart.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import classes from './requests.module.css';
import { words } from './words.ts';

const everyMs = 60_000;
const heightPx = 130;

interface CallsOverTimeProps {
  range: { minutes: number } | { from: string; to: string };
  /** null: unknown callers, who are not counted. */
  accountNo: string | null | undefined;
}

/** Calls and errors by hour, above the list. */
export function CallsOverTime({ range, accountNo }: CallsOverTimeProps) {
  const say = useWords(words);
  const { answer } = useAsk<typeof requestsTrend>(
    '/requests/trend',
    { ...range, ...(accountNo != null && { account_no: accountNo }) },
    { keepPrevious: true, everyMs, enabled: accountNo !== null },
  );
  if (accountNo === null || answer === undefined) return null;
  const { hours, is_behind } = answer;
  const total = (name: 'calls' | 'refused' | 'failed') => hours.reduce((sum, hour) => sum + hour[name], 0);
  return (
    <Section title={say.callsByHour}>
      <Chart
        hasCursor
        label={say.callsByHour}
        at={hours.map(({ from }) => from)}
        heightPx={heightPx}
        series={[
          { name: say.calls, values: hours.map(({ calls }) => calls) },
          { name: say.statusClass['4xx'], colour: 'third', values: hours.map(({ refused }) => refused) },
          { name: say.statusClass['5xx'], colour: 'failed', values: hours.map(({ failed }) => failed) },
        ]}
      />
      <p className={classes.counted}>
        {say.callsTotal(formatNumber(total('calls')), formatNumber(total('refused')), formatNumber(total('failed')))}{' '}
        {say.callsCounted} {is_behind && say.callsBehind}
      </p>
    </Section>
  );
}
