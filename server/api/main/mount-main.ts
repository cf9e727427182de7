import type { FastifyInstance } from 'fastify';
import type { DomainOperations } from '../../domain/operations.ts';
import { makeCursors } from '../../http/cursor.ts';
import { mountContract } from '../../http/mount-contract.ts';
import type { ServerContext } from '../../http/server-context.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import { DatabaseUnavailable } from '../../platform/postgres/deadline.ts';
import { makeBearerCheck } from './bearer.ts';
import { mainEndpoints } from './endpoints.ts';
import { type TokenParts, tokenContract, tokenEndpoints } from './get-token.ts';
import { mountJwks } from './jwks.ts';
import { type CheckBearer, makeMainContract } from './main-contract.ts';

export interface MainParts extends Omit<TokenParts, 'rateLimit'> {
  /** Judges the addresses of test callbacks. */
  guard: AddressGuard;
  operations: DomainOperations;
  checkBearer: CheckBearer | undefined;
}

/** Mounts the token endpoint, the public keys, and the operations that require a token. */
export async function mountMain(app: FastifyInstance, context: ServerContext, parts: MainParts): Promise<void> {
  await mountContract(app, context, tokenContract, tokenEndpoints({ ...parts, rateLimit: context.rateLimit }));
  mountJwks(app, parts.keys);
  const contract = makeMainContract(parts.checkBearer ?? makeBearerCheck(parts));
  const cursors = makeCursors(parts.keyring);
  await mountContract(app, context, contract, mainEndpoints(parts.operations, cursors, context.counts, parts.guard));
  await makeFirstKey(parts);
}

/** If the database is unavailable at startup, the first key is created when it is needed. */
async function makeFirstKey({ keys }: Pick<TokenParts, 'keys'>): Promise<void> {
  try {
    await keys.toSignWith();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
  }
}
