import { SegmentedControl } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import type { CountRow, CountSheet, countSheet } from '../../../contract/console/counts.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { formatScope, stateTone } from './count-lot.ts';
import { CountSheetPanel } from './count-sheet.tsx';
import classes from './counts.module.css';
import { ReviewPanel } from './review-panel.tsx';
import { words } from './words.ts';

const views = ['count', 'review'] as const;
/** Others count too. */
const everyMs = 10_000;

/** A count: the blind sheet for those who scan, and the differences for the one who books them. */
export function Component() {
  const count_id = Number(useParams().countId);
  const asked = useAsk<typeof countSheet>('/counts/sheet', { count_id }, { everyMs });
  return (
    <AskedContent asked={asked} lines={8}>
      {(sheet) => <OpenCount key={count_id} sheet={sheet} />}
    </AskedContent>
  );
}

function OpenCount({ sheet }: { sheet: CountSheet }) {
  const say = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const { count } = sheet;
  const isOpen = count.state === 'open';
  const view = isOpen ? (views.find((one) => one === parameters.get('view')) ?? 'count') : 'review';
  return (
    <>
      <CountHeader count={count} />
      {isOpen && (
        <SegmentedControl
          className={classes.views ?? ''}
          size="md"
          aria-label={say.title}
          data={views.map((value) => ({ value, label: say.tab[value] }))}
          value={view}
          onChange={(value) => setParameters({ view: value }, { replace: true })}
        />
      )}
      {view === 'count' ? <CountSheetPanel sheet={sheet} /> : <ReviewPanel countId={count.count_id} />}
    </>
  );
}

function CountHeader({ count }: { count: CountRow }) {
  const say = useWords(words);
  const warehouses = useWarehouseOptions();
  return (
    <PageHeader
      title={count.count_no}
      aside={<StatusBadge tone={stateTone[count.state]}>{say.state[count.state]}</StatusBadge>}
      subtitle={[count.account_no, labelOf(warehouses, count.warehouse_no), formatScope(count, say)].join(' · ')}
      back={{ to: '/counts', label: say.title }}
    />
  );
}
