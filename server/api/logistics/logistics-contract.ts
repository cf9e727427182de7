import type { KnownKey, LogisticsKeyDirectory } from '../../domain/partners/logistics-key-directory.ts';
import type { Contract } from '../contract.ts';
import { wordLogisticsProblem } from '../done-envelope.ts';
import type { Incoming } from '../incoming.ts';
import { withKindOf } from '../mistaken-secret.ts';
import { ProblemError } from '../problem.ts';

export interface LogisticsCaller {
  accountNo: string;
  key: KnownKey;
}

/** Calls with an API key of a logistics system. */
export function makeLogisticsContract(options: { prefix: string; keys: LogisticsKeyDirectory }): Contract<LogisticsCaller> {
  const { prefix, keys } = options;
  return {
    name: 'logistics',
    prefix,
    word: wordLogisticsProblem,
    async authenticate(request) {
      const apiKey = apiKeyOf(request);
      const found = await keys.find(apiKey);
      if (!found) throw refused(withKindOf(apiKey, 'logistics_key', 'no such API key'));
      const { key, account } = found;
      // So that the operator sees whose calls fail.
      request.call.accountNo = account.accountNo;
      if (!key.enabled) throw refused(`key ${key.name} is disabled`);
      if (!account.enabled) throw refused('the account is disabled');
      request.call.usedKey = { kind: 'logistics_key', name: `${account.accountNo}/${key.name}` };
      return { accountNo: account.accountNo, key };
    },
  };
}

/** The key itself; a scheme word before it is tolerated. */
function apiKeyOf({ headers }: Incoming): string {
  const { authorization } = headers;
  if (!authorization) throw refused('header Authorization is missing');
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1] ?? authorization;
}

function refused(reason: string): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason });
}

/** Who did it, as it stands in the ledger. */
export function actorOf({ accountNo, key }: LogisticsCaller): string {
  return `${accountNo}/${key.name}`;
}
