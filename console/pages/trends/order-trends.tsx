import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import type { OrderTrendCounts, trendsOrders } from '../../../contract/console/trends.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { formatNumber, formatPercent } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatTile, StatTiles } from '../../kit/stat-tile.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import type { LiveList } from '../../kit/use-live-list.ts';
import { BarTable } from './bar-table.tsx';
import { type NameOf, OrderSums } from './order-sums.tsx';
import { TrendSection } from './trend-section.tsx';
import classes from './trends.module.css';
import { words } from './words.ts';

type Answer = AnswerOf<typeof trendsOrders>;

interface OrderTrendsProps {
  answer: Answer;
  /** The call that gave the answer. */
  question: LiveList<never>['question'];
  warehouseName(warehouseNo: number): string;
  accountName: NameOf;
  carrierName: NameOf;
}

/** In the order of the classes of age. */
const ages = ['today', 'day', 'days', 'week', 'older'] as const;
const ageColours = ['first', 'second', 'third', 'fourth', 'failed'] as const;
const alarmingAge = 3;

/** Orders by day, on time, open, and by warehouse, account and carrier. */
export function OrderTrends({ answer, question, warehouseName, accountName, carrierName }: OrderTrendsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const hasOpen = answer.backlog.some((count) => count > 0);
  const isEmpty = answer.by_account.length === 0 && !hasOpen;
  if (answer.counted_at === null) return <EmptyState title={say.noOrders.title} hint={say.notCounted} />;
  if (isEmpty) return <EmptyState {...say.noOrders} />;
  return (
    <>
      <Totals answer={answer} />
      <div className={classes.charts}>
        <ByDay answer={answer} />
        <OnTime answer={answer} />
        <BacklogNow backlog={answer.backlog} />
        <BacklogByDay answer={answer} />
        <div className={classes.whole}>
          <Problems answer={answer} />
        </div>
      </div>
      <OrderSums
        title={say.byAccount}
        firstColumn={shared.noun.account}
        name="trend-accounts"
        question={question}
        rows={answer.by_account.map(({ account_no, ...counts }) => ({ key: account_no, ...counts }))}
        nameOf={accountName}
      />
      <OrderSums
        title={say.byWarehouse}
        firstColumn={shared.noun.warehouse}
        name="trend-warehouses"
        question={question}
        rows={answer.by_warehouse.map(({ warehouse_no, ...counts }) => ({ key: String(warehouse_no), ...counts }))}
        nameOf={(number) => warehouseName(Number(number))}
      />
      <OrderSums
        title={say.byCarrier}
        firstColumn={say.carrier}
        name="trend-carriers"
        question={question}
        rows={answer.by_carrier.map(({ carrier, ...counts }) => ({ key: carrier, ...counts }))}
        nameOf={carrierName}
      />
      <p className={classes.hint}>{say.countedAt(formatInstant(answer.counted_at))}</p>
    </>
  );
}

function Totals({ answer: { days, backlog } }: { answer: Answer }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const sum = (name: keyof OrderTrendCounts) => days.reduce((total, day) => total + day[name], 0);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const due = sum('due');
  const range = (field: string) => `${field}_from=${first}&${field}_to=${last}`;
  const open = backlog.reduce((total, count) => total + count, 0);
  return (
    <StatTiles>
      <StatTile label={say.count.created} value={formatNumber(sum('created'))} to={`/orders?${range('created')}`} />
      <StatTile
        label={say.count.shipped}
        value={formatNumber(sum('shipped'))}
        to={`/orders?status=shipped,arrived,delivered,undelivered&${range('updated')}`}
      />
      <StatTile
        label={say.count.onTimeRate}
        value={due === 0 ? '–' : formatPercent(sum('on_time') / due, language)}
        note={due === 0 ? undefined : `${formatNumber(sum('on_time'))} / ${formatNumber(due)}`}
        to={`/orders?${range('created')}`}
      />
      <StatTile
        label={say.count.open}
        value={formatNumber(open)}
        to="/orders?status=awaiting_stock,pending_warehouse_transfer,in_warehouse,picking,packed,partially_shipped"
      />
    </StatTiles>
  );
}

function ByDay({ answer: { days } }: { answer: Answer }) {
  const say = useWords(words);
  return (
    <TrendSection
      title={say.ordersByDay}
      days={days.map(({ day }) => day)}
      series={[
        { name: say.count.created, values: days.map(({ created }) => created) },
        { name: say.count.shipped, values: days.map(({ shipped }) => shipped) },
        { name: say.count.delivered, values: days.map(({ delivered }) => delivered) },
      ]}
    />
  );
}

function Problems({ answer: { days } }: { answer: Answer }) {
  const say = useWords(words);
  return (
    <TrendSection
      title={say.problemsByDay}
      days={days.map(({ day }) => day)}
      series={[
        { name: say.count.cancelled, colour: 'second', values: days.map(({ cancelled }) => cancelled) },
        { name: say.count.short, colour: 'third', values: days.map((day) => day.short) },
        { name: say.count.undelivered, colour: 'failed', values: days.map(({ undelivered }) => undelivered) },
      ]}
    />
  );
}

function OnTime({ answer: { days, without_cut_off } }: { answer: Answer }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const mayChange = useMay('admin');
  return (
    <TrendSection
      title={say.onTimeByDay}
      days={days.map(({ day }) => day)}
      format={(share) => formatPercent(share, language)}
      series={[
        { name: say.count.onTimeRate, values: days.map(({ due, on_time }) => (due === 0 ? null : on_time / due)) },
      ]}
    >
      <p className={classes.hint}>
        {say.onTimeHint} {say.stillUndecided}
      </p>
      {without_cut_off.length > 0 && (
        <Alert mt="xs" p="xs" color="gray">
          {say.noCutOff(without_cut_off.join(', '))}{' '}
          {mayChange && (
            <Anchor component={Link} to="/partners?tab=places" inherit>
              {say.setCutOff}
            </Anchor>
          )}
        </Alert>
      )}
    </TrendSection>
  );
}

function BacklogNow({ backlog }: Pick<Answer, 'backlog'>) {
  const say = useWords(words);
  return (
    <Section title={say.backlogNow}>
      <BarTable
        label={say.backlogNow}
        firstColumn={say.ageColumn}
        columns={[say.count.open]}
        rows={backlog.map((count, age) => ({
          key: String(age),
          name: say.age[ages[age]!],
          values: [count],
          isAlarming: age >= alarmingAge,
        }))}
      />
    </Section>
  );
}

function BacklogByDay({ answer: { days } }: { answer: Answer }) {
  const say = useWords(words);
  return (
    <TrendSection
      title={say.backlogByDay}
      days={days.map(({ day }) => day)}
      series={ages.map((name, age) => ({
        name: say.age[name],
        colour: ageColours[age]!,
        values: days.map(({ backlog }) => backlog?.[age] ?? null),
      }))}
    />
  );
}
