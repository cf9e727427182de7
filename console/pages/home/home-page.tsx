import { Navigate } from 'react-router';
import type { HomeFlow, homeAttention, homeFlow } from '../../../contract/console/home.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { useIsRestricted } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatTile, StatTiles } from '../../kit/stat-tile.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { FlowCharts } from './flow-charts.tsx';
import { words } from './words.ts';

const everyMs = 30_000;

/** An operator who works in some warehouses only begins with the orders there. */
export function Component() {
  return useIsRestricted() ? <Navigate to="/orders" replace /> : <Home />;
}

/** Shows conditions that need attention, then today's figures. */
function Home() {
  const say = useWords(words);
  const attention = useAsk<typeof homeAttention>(
    '/home/attention',
    {},
    { topics: ['orders', 'stock', 'callbacks', 'audit'], everyMs },
  );
  const flow = useAsk<typeof homeFlow>('/home/flow', {}, { topics: ['orders', 'callbacks'], everyMs });
  return (
    <>
      <PageHeader title={say.title} {...(flow.answer && { subtitle: say.today(flow.answer.day) })} />
      <AskedContent asked={attention} lines={6}>
        {({ items, first_steps }) => (
          <>
            {!first_steps.has_orders && <FirstSteps steps={first_steps} />}
            <AttentionList items={items} />
          </>
        )}
      </AskedContent>
      {attention.answer?.first_steps.has_orders && (
        <AskedContent asked={flow} lines={8}>
          {(answer) => (
            <>
              <FlowTiles flow={answer} />
              <FlowCharts flow={answer} />
            </>
          )}
        </AskedContent>
      )}
    </>
  );
}

function FlowTiles({ flow }: { flow: HomeFlow }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { day, hours, states, callbacks_waiting: waiting } = flow;
  const ofDay = `created_from=${day}&created_to=${day}`;
  const created = hours.reduce((sum, { warehouse, main, logistics }) => sum + warehouse + main + logistics, 0);
  const shipped = hours.reduce((sum, hour) => sum + hour.shipped, 0);
  const toTransfer = states.find(({ status }) => status === 'pending_warehouse_transfer');
  const capped = ({ count, is_more }: { count: number; is_more: boolean }) =>
    is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count);
  return (
    <StatTiles>
      <StatTile label={say.createdToday} value={formatNumber(created)} to={`/orders?${ofDay}`} />
      <StatTile
        label={say.shippedToday}
        value={formatNumber(shipped)}
        to={`/orders?status=shipped,delivered&updated_from=${day}&updated_to=${day}`}
      />
      <StatTile
        label={say.toTransfer}
        value={toTransfer ? capped(toTransfer) : formatNumber(0)}
        to={`/orders?status=pending_warehouse_transfer&${ofDay}`}
      />
      <StatTile
        label={say.callbacksWaiting}
        value={capped(waiting)}
        to="/callbacks?status=pending"
        note={
          waiting.oldest_at !== null && (
            <>
              {say.oldest} <Time at={waiting.oldest_at} />
            </>
          )
        }
      />
      <StatTile
        label={say.callsLastHour}
        value={formatNumber(flow.minutes.reduce((sum, { calls }) => sum + calls, 0))}
        to="/requests"
      />
    </StatTiles>
  );
}
