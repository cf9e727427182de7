import { receiverPause, receiverResume } from '../../../contract/console/receiver-pause.ts';
import { receiverIdOf } from '../../domain/callbacks/callback.ts';
import { pauseReceiver, resumeReceiver } from '../../domain/callbacks/pause-receiver.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { ProblemError } from '../problem.ts';
import { type AuditedAction, type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

interface NamedReceiver {
  account_no: string;
  address: string;
}

export function receiversPauseCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(receiverPause, {
    role: 'admin',
    audit: auditOf,
    async handle({ session }, named) {
      const receiverId = await idOf(directory, named);
      const outcome = await database.transaction((tx) => pauseReceiver(tx, receiverId, session.username));
      if (outcome === 'not_found') throw noReceiver();
      return { kind: outcome };
    },
  });
}

export function receiversResumeCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(receiverResume, {
    role: 'admin',
    audit: auditOf,
    async handle(_caller, named) {
      const receiverId = await idOf(directory, named);
      const outcome = await database.transaction((tx) => resumeReceiver(tx, receiverId));
      if (outcome === 'not_found') throw noReceiver();
      return { kind: outcome };
    },
  });
}

/** The subject is in an index, which takes no more than 2,700 bytes. */
const subjectMax = 500;

function auditOf({ account_no, address }: NamedReceiver): AuditedAction {
  return { subject: address.slice(0, subjectMax), accountNo: account_no };
}

async function idOf(directory: AccountDirectory, { account_no, address }: NamedReceiver): Promise<string> {
  const account = await directory.findNow(account_no);
  if (account === null) throw noReceiver();
  return receiverIdOf(account.accountId, address);
}

function noReceiver(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: 'there is no such receiver' });
}
