import { Anchor, NativeSelect } from '@mantine/core';
import { Link } from 'react-router';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import type {
  CallerTrend,
  ReceiverTrend,
  trendsCallbacks,
  trendsCalls,
  trendsStock,
} from '../../../contract/console/trends.ts';
import { column, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { formatDurationMs, formatNumber, formatPercent } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { BarTable } from './bar-table.tsx';
import { TrendSection } from './trend-section.tsx';
import classes from './trends.module.css';
import { words } from './words.ts';

/** Units on hand by the month in which they expire. */
export function StockTrends({ answer: { months, complete_until } }: { answer: AnswerOf<typeof trendsStock> }) {
  const say = useWords(words);
  const isEmpty = months.every(({ good, bad }) => good + bad === 0);
  if (isEmpty && complete_until === null) return <EmptyState {...say.noStock} />;
  return (
    <Section title={say.expiryByMonth}>
      <BarTable
        label={say.expiryByMonth}
        firstColumn={say.month}
        columns={[say.good, say.bad]}
        rows={months.map(({ month, good, bad }) => ({
          key: month,
          name: <MonthLink month={month} />,
          values: [good, bad],
          isAlarming: month === 'expired',
        }))}
      />
      {complete_until !== null && <p className={classes.hint}>{say.partOfStock(complete_until)}</p>}
    </Section>
  );
}

function MonthLink({ month }: { month: string }) {
  const say = useWords(words);
  if (month === 'expired')
    return (
      <Anchor component={Link} to="/stock?band=expired" inherit>
        {say.expired}
      </Anchor>
    );
  const end = new Date(`${month}-01T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return (
    <Anchor
      component={Link}
      to={`/stock?expires_from=${month}-01&expires_to=${end.toISOString().slice(0, 10)}`}
      inherit
    >
      {month}
    </Anchor>
  );
}

type CallbackAnswer = AnswerOf<typeof trendsCallbacks>;

/** Success and response times of the receivers of callbacks: by day of one or of all, and of each one. */
export function CallbackTrends(props: {
  answer: CallbackAnswer;
  /** The receiver of the charts; empty: all. */
  receiver: string;
  onReceiver: (receiver: string) => void;
}) {
  const say = useWords(words);
  const { answer, receiver, onReceiver } = props;
  if (answer.rows.length === 0) return <EmptyState {...say.noCallbacks} />;
  return (
    <>
      <NativeSelect
        mb="sm"
        maw={520}
        label={say.chartsOf}
        value={receiver}
        onChange={(event) => onReceiver(event.currentTarget.value)}
        data={[
          { value: '', label: say.allReceivers },
          ...answer.rows.map((row) => ({ value: row.receiver_id, label: `${row.account_no} ${row.address}` })),
        ]}
      />
      <CallbackCharts answer={answer} />
      <ReceiverTable answer={answer} />
    </>
  );
}

function CallbackCharts({ answer: { days } }: { answer: CallbackAnswer }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const of = days.map(({ day }) => day);
  const rates = days.map(({ attempts, failed }) => (attempts === 0 ? null : 1 - failed / attempts));
  return (
    <div className={classes.charts}>
      <TrendSection
        title={say.successByDay}
        days={of}
        series={[{ name: say.successRate, values: rates }]}
        format={(rate) => formatPercent(rate, language)}
      />
      <TrendSection
        title={say.responseTimesByDay}
        days={of}
        series={[
          { name: say.half, values: days.map(({ p50_ms }) => p50_ms) },
          { name: say.most, colour: 'third', values: days.map(({ p95_ms }) => p95_ms) },
        ]}
        format={formatDurationMs}
      />
    </div>
  );
}

function ReceiverTable({ answer: { rows, has_more } }: { answer: CallbackAnswer }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { language } = useLanguage();
  const timeOf = (milliseconds: number | null) => (milliseconds === null ? '–' : formatDurationMs(milliseconds));
  const columns: Column<ReceiverTrend>[] = [
    column('receiver', say.receiver, (row) => <span className={classes.address}>{row.address}</span>, {
      alwaysShown: true,
    }),
    column('account', shared.noun.account, (row) => row.account_no),
    column('rate', say.successRate, (row) => formatPercent(1 - row.failed / Math.max(1, row.attempts), language), {
      align: 'right',
    }),
    numberColumn('attempts', say.attempts, (row) => row.attempts),
    numberColumn('failed', say.failedAttempts, (row) => row.failed),
    numberColumn('arrived', say.arrived, (row) => row.delivered),
    numberColumn('givenUp', say.givenUp, (row) => row.given_up),
    column('half', say.half, (row) => timeOf(row.p50_ms), { align: 'right' }),
    column('most', say.most, (row) => timeOf(row.p95_ms), { align: 'right' }),
  ];
  return (
    <Section title={say.receivers} flush>
      <DataTable
        bare
        name="trend-receivers"
        label={say.receivers}
        columns={columns}
        list={plainRows(rows, (row) => `${row.account_no} ${row.receiver_id}`)}
        rowName={(row) => row.address}
        rowLink={(row) => `/callbacks?receiver=${row.receiver_id}`}
        empty={null}
      />
      {has_more && <p className={classes.hint}>{say.manyReceivers(formatNumber(rows.length))}</p>}
    </Section>
  );
}

/** Calls and errors, by day and by account. */
export function CallTrends({ answer: { days, rows } }: { answer: AnswerOf<typeof trendsCalls> }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { language } = useLanguage();
  const columns: Column<CallerTrend>[] = [
    column('account', shared.noun.account, (row) => row.account_no, { alwaysShown: true }),
    numberColumn('calls', say.calls, (row) => row.calls),
    numberColumn('refused', say.refused, (row) => row.refused),
    numberColumn('failed', say.failed, (row) => row.failed),
    column(
      'rate',
      say.errorRate,
      (row) => formatPercent((row.refused + row.failed) / Math.max(1, row.calls), language),
      {
        align: 'right',
      },
    ),
    column('average', say.average, (row) => (row.average_ms === null ? '–' : formatDurationMs(row.average_ms)), {
      align: 'right',
    }),
    timeColumn('last', say.lastCall, (row) => row.last_call_at),
  ];
  if (rows.length === 0) return <EmptyState {...say.noCalls} />;
  return (
    <>
      <TrendSection
        title={say.callsByDay}
        days={days.map(({ day }) => day)}
        series={[
          { name: say.calls, values: days.map(({ calls }) => calls) },
          { name: say.refused, colour: 'third', values: days.map(({ refused }) => refused) },
          { name: say.failed, colour: 'failed', values: days.map(({ failed }) => failed) },
        ]}
      />
      <Section title={say.callers} flush>
        <DataTable
          bare
          name="trend-callers"
          label={say.callers}
          columns={columns}
          list={plainRows(rows, (row) => row.account_no)}
          rowName={(row) => row.account_no}
          rowLink={(row) => `/requests?within=week&account=${encodeURIComponent(row.account_no)}`}
          empty={null}
        />
      </Section>
    </>
  );
}
