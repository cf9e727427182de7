import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { OpenBatch, PickingWarehouse, pickingQueue, WaitingGroup } from '../../../contract/console/picking.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import classes from './picking.module.css';
import { useClaim } from './use-claim.ts';
import { words } from './words.ts';

/** The orders that wait for picking, and the batches that staff are picking. */
export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <>
      <PageHeader title={say.title} />
      {useMay('staff') ? <Queue /> : <EmptyState title={shared.errorKind.forbidden} hint={shared.role.staff} />}
    </>
  );
}

function Queue() {
  const say = useWords(words);
  const asked = useAsk<typeof pickingQueue>('/picking/queue', {}, { topics: ['orders'], everyMs: 15_000 });
  return (
    <AskedContent asked={asked}>
      {({ warehouses, batches }) => (
        <div className={classes.stack}>
          {warehouses.length === 0 && <EmptyState title={say.noWarehouseTitle} hint={say.noWarehouseHint} />}
          {warehouses.toSorted(busyFirst).map((warehouse) => (
            <Warehouse key={warehouse.warehouse_no} warehouse={warehouse} />
          ))}
          <Section title={say.openBatches} flush={batches.length > 0}>
            {batches.length === 0 && <Text c="dimmed">{say.noBatches}</Text>}
            <ul className={classes.rows}>
              {batches.map((batch) => (
                <Batch key={batch.batch_id} batch={batch} />
              ))}
            </ul>
          </Section>
        </div>
      )}
    </AskedContent>
  );
}

/** An empty warehouse does not push the work off the screen of a phone. */
function busyFirst(one: PickingWarehouse, other: PickingWarehouse): number {
  return Number(other.waiting > 0) - Number(one.waiting > 0);
}

const nextCount = 20;

function Warehouse({ warehouse }: { warehouse: PickingWarehouse }) {
  const say = useWords(words);
  const { claim, isRunning } = useClaim();
  const { warehouse_no, name, waiting, oldest_at, groups } = warehouse;
  const [count, isIdle] = [formatNumber(nextCount), waiting === 0 || isRunning];
  return (
    <Section title={`${warehouse_no} ${name}`} flush>
      <div className={classes.waiting}>
        <div>
          <div className={classes.number}>{formatNumber(waiting)}</div>
          {waiting === 0 ? say.nothingWaits : say.waiting}
          {oldest_at && (
            <Text size="sm" c="dimmed">
              {say.oldest} <Time at={oldest_at} />
            </Text>
          )}
        </div>
        <Button size="lg" disabled={isIdle} onClick={() => claim({ warehouse_no, count: nextCount })}>
          {say.next(count)}
        </Button>
      </div>
      {groups.length > 1 && (
        <ul className={classes.rows}>
          {groups.map((group) => (
            <Group
              key={`${group.express_type}/${group.temperature}`}
              group={group}
              isDisabled={isIdle}
              onClaim={() =>
                claim({
                  ...{ warehouse_no, count: nextCount, temperature: group.temperature },
                  express_type: group.express_type ?? '',
                })
              }
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Group({ group, isDisabled, onClaim }: { group: WaitingGroup; isDisabled: boolean; onClaim(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { express_type, temperature, waiting, oldest_at } = group;
  const carriers: Record<string, string> = say.carrier;
  const temperatures: Record<string, string> = { ...shared.storageType, mixed: say.mixed };
  const name = [
    express_type === null ? say.noCarrier : (carriers[express_type] ?? express_type),
    temperatures[temperature] ?? temperature,
  ].join(' · ');
  const next = formatNumber(Math.min(nextCount, waiting));
  return (
    <li className={classes.row}>
      <div className={classes.grows}>
        <div className={classes.strong}>{name}</div>
        <div className={classes.dimmed}>
          {say.countAndOldest(say.orders(formatNumber(waiting)))} <Time at={oldest_at} />
        </div>
      </div>
      <Button size="md" variant="default" disabled={isDisabled} aria-label={say.nextOf(next, name)} onClick={onClaim}>
        {say.next(next)}
      </Button>
    </li>
  );
}

function Batch({ batch }: { batch: OpenBatch }) {
  const say = useWords(words);
  const { batch_id, created_by, created_at, orders, units, done } = batch;
  return (
    <li>
      <Link to={`/picking/${batch_id}`} className={classes.row}>
        <div className={classes.grows}>
          <div className={classes.strong}>{say.batch(formatNumber(batch_id))}</div>
          <div className={classes.dimmed}>
            {say.by(created_by)} · <Time at={created_at} />
          </div>
        </div>
        <div className={classes.right}>
          <div>{say.orders(formatNumber(orders))}</div>
          <div className={classes.dimmed}>{say.progress(formatNumber(done), formatNumber(units))}</div>
        </div>
      </Link>
    </li>
  );
}
