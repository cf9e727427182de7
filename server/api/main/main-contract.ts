import type { Static, TSchema } from 'typebox';
import { mainBasePath } from '../../../contract/main/base-path.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Permission } from '../../domain/partners/provisioning.ts';
import { type Contract, type Endpoint, endpoint } from '../contract.ts';
import { wordMainProblem } from '../done-envelope.ts';
import type { Incoming } from '../incoming.ts';
import { ProblemError } from '../problem.ts';

/** A client with a token that is good at this moment. */
export interface MainCaller {
  clientId: string;
  accountNo: string;
  account: KnownAccount;
  permissions: ReadonlySet<Permission>;
}

export type CheckBearer = (request: Incoming) => Promise<MainCaller>;

/** Operations with a bearer token. */
export function makeMainContract(checkBearer: CheckBearer): Contract<MainCaller> {
  return { name: 'main', prefix: mainBasePath, word: wordMainProblem, authenticate: checkBearer };
}

/** An operation of the main API needs its permission. */
export function operation<Schema extends TSchema>(
  permission: Permission,
  definition: Omit<Endpoint<MainCaller, Schema>, 'admit'> & { body: Schema; documentNo?(body: Static<Schema>): string },
): Endpoint<MainCaller> {
  return endpoint<MainCaller, Schema>({
    ...definition,
    admit({ permissions }) {
      if (!permissions.has(permission)) throw new ProblemError({ kind: 'forbidden', permission });
    },
  });
}

/** Who did it, as it stands in the ledger. */
export function actorOf({ accountNo, clientId }: MainCaller): string {
  return `${accountNo}/${clientId}`;
}
