import { Button } from '@mantine/core';
import type { InboundListRow } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { formatDate } from '../../kit/time-text.ts';
import type { Dates } from '../../kit/url-filters.ts';
import { words } from './words.ts';

const open = ['expected', 'receiving'] as const;
const dayMs = 86_400_000;

/** Not here although its day has passed. */
export function isOverdue({ status, estimated_arrival_at: at }: InboundListRow): boolean {
  return at !== null && status === 'expected' && formatDate(new Date(at)) < formatDate(new Date());
}

interface ArrivalFilters {
  values: { arrival: Dates; status: string[] };
  set(change: { arrival: Dates; status: (typeof open)[number][] }): void;
}

/** The queue of people who receive: documents that arrive today or should have arrived, the earliest first. */
export function Arrivals({ filters }: { filters: ArrivalFilters }) {
  const say = useWords(words);
  const today = formatDate(new Date());
  const yesterday = formatDate(new Date(Date.now() - dayMs));
  const queues = [
    { name: say.arrivals.today, arrival: { from: today, to: today } },
    { name: say.arrivals.overdue, arrival: { from: null, to: yesterday } },
  ];
  return (
    <Button.Group mb="sm">
      {queues.map(({ name, arrival }) => {
        const isShown =
          JSON.stringify([arrival, open]) === JSON.stringify([filters.values.arrival, filters.values.status]);
        return (
          <Button
            key={name}
            variant={isShown ? 'filled' : 'default'}
            aria-pressed={isShown}
            onClick={() =>
              filters.set(isShown ? { arrival: { from: null, to: null }, status: [] } : { arrival, status: [...open] })
            }
          >
            {name}
          </Button>
        );
      })}
    </Button.Group>
  );
}
