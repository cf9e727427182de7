import { bodyErrors } from '../../messages/body-errors.ts';
import type { ErrorCode } from '../../messages/errors.ts';
import { allContracts, type CataloguedMessage, textsOf } from './catalogued-message.ts';

/** Bodies that are rejected before validation; positions count from 0. */
export const bodyMessages: CataloguedMessage[] = Object.keys(bodyErrors).map((error) => ({
  contracts: allContracts,
  status: 400,
  ...textsOf(error as ErrorCode),
  about: 'body',
}));
