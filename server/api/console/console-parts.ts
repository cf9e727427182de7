import type { RedeliveryCounts } from '../../domain/callbacks/delivery-queries.ts';
import type { CancelInboundOutcome, CancelInboundsRequest } from '../../domain/inbound/cancel-inbounds.ts';
import type { StopReceiving } from '../../domain/inbound/stop-receiving.ts';
import type { TakeReceipt } from '../../domain/inbound/take-receipt.ts';
import type { Sessions } from '../../domain/operators/sessions.ts';
import type { AdvanceOrderOutcome, AdvanceOrdersRequest } from '../../domain/orders/advance-orders.ts';
import type { CancelOrderOutcome, CancelOrdersRequest } from '../../domain/orders/cancel-orders.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { GuessThrottle } from '../../platform/guess-throttle.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ListParts } from './console-list.ts';

/** What the APIs have done in groups; the console has it done in the same ones. */
export interface ConsoleOperations {
  cancelOrders(request: CancelOrdersRequest): Promise<CancelOrderOutcome[]>;
  advanceOrders(request: AdvanceOrdersRequest): Promise<AdvanceOrderOutcome[]>;
  cancelInbounds(request: CancelInboundsRequest): Promise<CancelInboundOutcome[]>;
  takeReceipt: TakeReceipt;
  stopReceiving: StopReceiving;
  redeliver(callbackIds: number[]): Promise<RedeliveryCounts>;
}

/** What the calls of the console work with. */
export interface ConsoleParts extends ListParts {
  database: Database;
  keyring: Keyring;
  directory: AccountDirectory;
  clock: Clock;
  sessions: Sessions;
  /** Limits guesses at the passwords of operators. */
  throttle: GuessThrottle;
  /** So many passwords are checked at a time. */
  checkInTurn: Turns;
  operations: ConsoleOperations;
  version: string;
  /** Where partners reach the APIs. */
  addresses: { serverUrl: string; warehouseBasePath: string; logisticsSegment: string };
}
