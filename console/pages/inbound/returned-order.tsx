import { Group, Text, Title } from '@mantine/core';
import type { InboundDetail } from '../../../contract/console/inbound.ts';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import classes from './inbound.module.css';
import { words } from './words.ts';

/** The lines of the returned order, with shipped and returned units. */
export function ReturnedOrder({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const returned = shown.returned_order;
  if (returned === null) return null;
  const { number, order } = returned;
  return (
    <section aria-label={say.section.returnedOrder}>
      <Title order={3} size="h4" mb={4}>
        {say.section.returnedOrder}
      </Title>
      {order === null ? (
        <>
          <IdText value={number} label={say.section.returnedOrder} />
          <Text size="sm" c="dimmed">
            {say.orderUnknown}
          </Text>
        </>
      ) : (
        <>
          <Group gap="sm">
            <IdText value={number} label={say.section.returnedOrder} to={`/orders/${order.order_id}`} />
            <StatusBadge tone={orderTone[order.status as keyof typeof orderTone]}>
              {shared.orderStatus[order.status as keyof typeof orderTone]}
            </StatusBadge>
          </Group>
          <ul className={classes.orderLines}>
            {order.lines.map(({ sku_id, name, qty }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key, and their order is fixed.
              <li key={place}>
                <span>
                  {sku_id} <span className={classes.small}>{name}</span>
                </span>
                <span>{formatNumber(qty)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
