import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { KnownKey, LogisticsKeyDirectory } from '../../domain/partners/logistics-key-directory.ts';
import { ownedName } from '../../domain/partners/owned-name.ts';
import { isWeakMachineSecret } from '../../domain/partners/password-rules.ts';
import { logisticsFormat } from '../../http/done-envelope.ts';
import type { Contract, Environment } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError } from '../../http/problem.ts';
import { withSecretKind } from '../wrong-secret-kind.ts';

export interface LogisticsCaller {
  accountNo: string;
  environment: Environment;
  account: KnownAccount;
  key: KnownKey;
}

/** The contract of requests with the API key of a logistics system. */
export function makeLogisticsContract(options: {
  prefix: string;
  keys: LogisticsKeyDirectory;
}): Contract<LogisticsCaller> {
  const { prefix, keys } = options;
  return {
    name: 'logistics',
    prefix,
    ...logisticsFormat,
    async authenticate(request) {
      const apiKey = apiKeyOf(request);
      const found = await keys.find(apiKey);
      if (!found) throw refused(withSecretKind(apiKey, 'logistics_key', reason('no_such_api_key')));
      const { key, account } = found;
      // Shows the operator whose requests fail.
      request.record.accountNo = account.accountNo;
      if (!key.enabled) throw refused(reason('key_disabled', { key: key.name }));
      if (!account.enabled) throw refused(reason('account_disabled'));
      request.record.usedKey = {
        kind: 'logistics_key',
        name: ownedName(account.accountNo, key.name),
        isWeak: isWeakMachineSecret(apiKey),
      };
      return { accountNo: account.accountNo, environment: account.environment, account, key };
    },
  };
}

/** Extracts the key; a preceding `Bearer` is accepted. */
function apiKeyOf({ headers }: Incoming): string {
  const { authorization } = headers;
  if (!authorization) throw refused(reason('header_absent', { name: 'Authorization' }));
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1] ?? authorization;
}

function refused(why: Message): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason: why });
}

/** The actor of a change, as recorded in the history. */
export function actorOf({ accountNo, key }: LogisticsCaller): string {
  return `${accountNo}/${key.name}`;
}
