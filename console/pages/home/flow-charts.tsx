import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FlowState, HomeFlow } from '../../../contract/console/home.ts';
import { Chart } from '../../kit/chart.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import classes from './flow-charts.module.css';
import { formatSeconds } from './format-seconds.ts';
import { words } from './words.ts';

const channels = ['warehouse', 'main', 'logistics'] as const;
const heightPx = 170;

/** Charts of today. The totals below each chart link to the matching lists. */
export function FlowCharts({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  return (
    <div className={classes.charts}>
      <CreatedChart flow={flow} />
      <Section title={say.statesNow}>
        <States states={flow.states} ofDay={dayFilter(flow)} />
      </Section>
      <ShippedChart flow={flow} />
      <CallbackLagChart flow={flow} />
      <div className={classes.wide}>
        <CallsChart flow={flow} />
      </div>
    </div>
  );
}

function dayFilter({ day }: HomeFlow): string {
  return `created_from=${day}&created_to=${day}`;
}

function hoursOf({ hours }: HomeFlow): string[] {
  return hours.map(({ from }) => from);
}

function sumOf({ hours }: HomeFlow, name: (typeof channels)[number] | 'shipped'): number {
  return hours.reduce((sum, hour) => sum + hour[name], 0);
}

function CreatedChart({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.createdByHour}>
      <Chart
        label={say.createdByHour}
        at={hoursOf(flow)}
        heightPx={heightPx}
        series={channels.map((channel) => ({
          name: shared.channel[channel],
          values: flow.hours.map((hour) => hour[channel]),
        }))}
      />
      <Sums>
        {channels.map((channel) => (
          <Sum
            key={channel}
            to={`/orders?channel=${channel}&${dayFilter(flow)}`}
            label={shared.channel[channel]}
            value={formatNumber(sumOf(flow, channel))}
          />
        ))}
      </Sums>
    </Section>
  );
}

function ShippedChart({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  return (
    <Section title={say.shippedByHour}>
      <Chart
        label={say.shippedByHour}
        at={hoursOf(flow)}
        heightPx={heightPx}
        series={[{ name: say.shipped, kind: 'bars', values: flow.hours.map(({ shipped }) => shipped) }]}
      />
      <Sums>
        <Sum
          to={`/orders?status=shipped,delivered&updated_from=${flow.day}&updated_to=${flow.day}`}
          label={say.shipped}
          value={formatNumber(sumOf(flow, 'shipped'))}
        />
      </Sums>
    </Section>
  );
}

function CallbackLagChart({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  return (
    <Section title={say.callbackLag}>
      <Chart
        label={say.callbackLag}
        at={hoursOf(flow)}
        heightPx={heightPx}
        format={formatSeconds}
        series={[
          { name: say.median, values: flow.hours.map((hour) => hour.callback_median_s) },
          { name: say.worst, colour: 'third', values: flow.hours.map((hour) => hour.callback_worst_s) },
        ]}
      />
      <Sums>
        <Sum to={`/callbacks?${dayFilter(flow)}`} label={say.worst} value={worstOf(flow)} />
      </Sums>
    </Section>
  );
}

function CallsChart({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  return (
    <Section title={say.callsByMinute}>
      <Chart
        label={say.callsByMinute}
        at={flow.minutes.map(({ from }) => from)}
        heightPx={heightPx}
        series={[{ name: say.calls, colour: 'second', values: flow.minutes.map(({ calls }) => calls) }]}
      />
      <Sums>
        <Sum
          to="/requests"
          label={say.callsLastHour}
          value={formatNumber(flow.minutes.reduce((sum, { calls }) => sum + calls, 0))}
        />
        {flow.minutes.some(({ is_estimate }) => is_estimate) && <span className={classes.sum}>{say.estimated}</span>}
      </Sums>
    </Section>
  );
}

function worstOf({ hours }: HomeFlow): string {
  const worst = hours.flatMap(({ callback_worst_s }) => callback_worst_s ?? []);
  return worst.length === 0 ? '–' : formatSeconds(Math.max(...worst));
}

function Sums({ children }: { children: ReactNode }) {
  return <div className={classes.sums}>{children}</div>;
}

function Sum({ to, label, value }: { to: string; label: string; value: string }) {
  return (
    <Link to={to} className={classes.sum}>
      {label} <strong>{value}</strong>
    </Link>
  );
}

function States({ states, ofDay }: { states: FlowState[]; ofDay: string }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const most = Math.max(1, ...states.map(({ count }) => count));
  if (states.length === 0) return <p className={classes.nothing}>{say.statesNone}</p>;
  return (
    <ul className={classes.states}>
      {states.map(({ status, count, is_more }) => (
        <li key={status}>
          <Link to={`/orders?status=${status}&${ofDay}`} className={classes.state}>
            <StatusBadge tone={orderTone[status as keyof typeof orderTone]}>
              {shared.orderStatus[status as keyof typeof orderTone]}
            </StatusBadge>
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className={classes.count}>
              {is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
