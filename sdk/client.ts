/** The entry point of the package. */
export { type FieldError, LadingError, RefusedError, UnauthorizedError, UnavailableError } from './errors.ts';
export { LogisticsClient, type LogisticsClientOptions } from './logistics-client.ts';
export { MainClient, type MainClientOptions, type SearchLists, type SearchPage } from './main-client.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export { type RequestToSign, signRequest } from './signature.ts';
export {
  CallbackError,
  type CallbackRefusal,
  type ReceivedCallback,
  RecentEvents,
  type VerifiedCallback,
  type VerifyOptions,
  verifyCallback,
} from './verify-callback.ts';
export {
  type InboundCreated,
  type OutboundCreated,
  type ProductSynced,
  type RejectedRequest,
  WarehouseClient,
  type WarehouseClientOptions,
} from './warehouse-client.ts';
export type * from './wire.ts';
