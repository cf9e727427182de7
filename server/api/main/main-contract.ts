import type { Static, TSchema } from 'typebox';
import { mainBasePath } from '../../../contract/main/base-path.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Permission } from '../../domain/partners/provisioning.ts';
import { mainFormat } from '../../http/done-envelope.ts';
import { type Contract, type Endpoint, type Environment, endpoint } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError } from '../../http/problem.ts';

/** A client with a valid token. */
export interface MainCaller {
  clientId: string;
  accountNo: string;
  environment: Environment;
  account: KnownAccount;
  permissions: ReadonlySet<Permission>;
}

export type CheckBearer = (request: Incoming) => Promise<MainCaller>;

/** The contract of operations that require a bearer token. */
export function makeMainContract(checkBearer: CheckBearer): Contract<MainCaller> {
  return { name: 'main', prefix: mainBasePath, ...mainFormat, authenticate: checkBearer };
}

/** An operation of the main API and the permission that it requires. */
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

/** The actor of a change, as recorded in the history. */
export function actorOf({ accountNo, clientId }: MainCaller): string {
  return `${accountNo}/${clientId}`;
}
