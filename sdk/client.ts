/** The entry point of the package. */
export {
  ClockSkewError,
  type FieldError,
  LadingError,
  PayloadDiffersError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
export type { AttemptEvent, Hooks, ResponseEvent, RetryEvent } from './hooks.ts';
export { LogisticsClient, type LogisticsClientOptions } from './logistics-client.ts';
export { MainClient, type MainClientOptions, type SearchLists, type SearchPage } from './main-client.ts';
export type { BatchReply, Reply, ServiceResponse } from './reply.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export { type RequestToSign, type SignedHeaders, signRequest, signRequestAsync } from './signature.ts';
export {
  CallbackError,
  type CallbackRefusal,
  type ReceivedCallback,
  RecentEvents,
  type VerifiedCallback,
  type VerifyOptions,
  verifyCallback,
  verifyCallbackAsync,
} from './verify-callback.ts';
export { version } from './version.ts';
export {
  type InboundCreated,
  type OutboundCreated,
  type ProductSynced,
  type RejectedRequest,
  WarehouseClient,
  type WarehouseClientOptions,
} from './warehouse-client.ts';
export type * from './wire.ts';
