import { lastAudit } from './domain/audit/audit-queries.ts';
import { longestDueSeconds, oldestUndeliveredSeconds } from './domain/callbacks/delivery-queries.ts';
import { countFailingReceivers } from './domain/operators/attention.ts';
import { countPutAside } from './domain/orders/transfer-queries.ts';
import { longestDueWaveSeconds } from './domain/orders/transfer-schedule-queries.ts';
import { lastPurgeAt } from './domain/purge/purge-report-queries.ts';
import type { Database } from './platform/database.ts';
import type { LoadShedder } from './platform/load-shedder.ts';
import type { Metrics } from './platform/metrics.ts';

/** Whoever collects metrics should not wait long for the database. */
const lookWithinSeconds = 1;

/** What is looked at when metrics are collected, rather than counted as it happens. */
export function mountGauges({ gauge }: Metrics, { load, database }: { load: LoadShedder; database: Database }): void {
  gauge('lading_http_requests_in_flight', 'Requests being worked on.', () => load.inFlight());
  gauge('lading_http_requests_waiting', 'Requests that wait until there is room for them.', () => load.waiting());
  gauge('lading_database_connections_busy', 'Database connections in use.', () => database.load().busy);
  gauge('lading_database_requests_waiting', 'Requests that wait for a database connection.', () => database.load().waiting);

  const audit = async () => (await database.read(lastAudit, lookWithinSeconds)) ?? { findings: Number.NaN, at: new Date(Number.NaN) };
  gauge('lading_stock_audit_findings', 'What did not add up in the last audit of the stock.', async () => (await audit()).findings);
  gauge('lading_stock_audit_timestamp_seconds', 'When the stock was audited last.', async () => (await audit()).at.getTime() / 1000);

  gauge('lading_purge_timestamp_seconds', 'When a purge of UAT documents that took something away ended last.', async () => {
    const at = await database.read(lastPurgeAt, lookWithinSeconds);
    return at === null ? Number.NaN : at.getTime() / 1000;
  });

  gauge('lading_orders_put_aside', 'Orders that their warehouse has rejected.', () => database.read(countPutAside, lookWithinSeconds));
  gauge('lading_wave_longest_due_seconds', 'For how long the first wave of orders has waited for a worker.', () =>
    database.read(longestDueWaveSeconds, lookWithinSeconds),
  );

  gauge('lading_callback_oldest_undelivered_seconds', 'For how long the oldest callback that has not arrived has been queued.', () =>
    database.read(oldestUndeliveredSeconds, lookWithinSeconds),
  );
  gauge('lading_callback_longest_due_seconds', 'For how long the first callback for a receiver that answers has waited for a worker.', () =>
    database.read(longestDueSeconds, lookWithinSeconds),
  );
  gauge('lading_callback_receivers_failing', 'Receivers with callbacks queued that do not answer, or reject them.', () =>
    database.read(countFailingReceivers, lookWithinSeconds),
  );
}
