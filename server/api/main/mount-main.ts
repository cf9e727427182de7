import type { FastifyInstance } from 'fastify';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { mountContract } from '../contract.ts';
import { makeCursors } from '../cursor.ts';
import type { Shell } from '../shell.ts';
import { makeBearerCheck } from './bearer.ts';
import { type MainOperations, mainEndpoints } from './endpoints.ts';
import { type TokenParts, tokenContract, tokenEndpoints } from './get-token.ts';
import { mountJwks } from './jwks.ts';
import { type CheckBearer, makeMainContract } from './main-contract.ts';

export interface MainParts extends Omit<TokenParts, 'rateLimit'> {
  operations: MainOperations;
  checkBearer: CheckBearer | undefined;
}

/** The token call, the public keys, and the operations that a token opens. */
export async function mountMain(app: FastifyInstance, shell: Shell, parts: MainParts): Promise<void> {
  await mountContract(app, shell, tokenContract, tokenEndpoints({ ...parts, rateLimit: shell.rateLimit }));
  mountJwks(app, parts.keys);
  const contract = makeMainContract(parts.checkBearer ?? makeBearerCheck(parts));
  await mountContract(app, shell, contract, mainEndpoints(parts.operations, makeCursors(parts.keyring)));
  await makeFirstKey(parts);
}

/** Where the database is away at the start, the first key is made at first need. */
async function makeFirstKey({ keys }: Pick<TokenParts, 'keys'>): Promise<void> {
  try {
    await keys.toSignWith();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
  }
}
