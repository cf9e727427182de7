import { Option } from 'commander';
import { callbackEvents } from '../contract/logistics/callback.ts';
import { errorMessage } from '../messages/errors.ts';
import { formatMessage } from '../messages/format-message.ts';
import { toTestResult } from '../server/api/callback-test-response.ts';
import { formatCallback, testCallbackRules } from '../server/api/logistics/format-callback.ts';
import { callbackGuardNow } from '../server/callback-guard.ts';
import { makeAccountDirectory } from '../server/domain/partners/account-directory.ts';
import { listPartners } from '../server/domain/partners/partner-queries.ts';
import { makeSendTestCallback, type TestCallbackOutcome } from '../server/domain/test-callbacks/send-test-callback.ts';
import { systemClock } from '../server/platform/clock.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { exitCodes, Failure } from './command-line.ts';
import { storeCommand } from './store-command.ts';

interface TestOptions {
  event: string;
  document?: string;
  url?: string;
  key?: string;
}

/** `lading callbacks test`: sends a callback for an event that has not happened. A running node delivers it. */
export function testCommand() {
  return storeCommand(
    'test',
    'send a test callback for an account; a running node delivers it, and nothing else changes',
    async ({ database, keyring }, config, accountNo: string, { event, document, url, key }: TestOptions) => {
      const account = await makeAccountDirectory(database, keyring).findNow(accountNo);
      if (!account) throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
      if (key !== undefined) await assertKeyExists(database, accountNo, key);
      const rule = url === undefined ? null : (await callbackGuardNow(database, config)).whyPlainlyRefused(url);
      if (rule !== null) throw new Failure(exitCodes.refused, `--url ${formatMessage(errorMessage(rule))}`);
      const send = makeSendTestCallback({ database, clock: systemClock, formatCallback, testRules: testCallbackRules });
      const outcome = await send({
        account,
        event,
        documentNo: document ?? null,
        callbackUrl: url ?? null,
        keyName: key ?? null,
      });
      const retval = retvalOf(outcome);
      return { json: retval, text: `test callback ${retval.event_id} goes to ${retval.callback_url}` };
    },
  )
    .argument('<account_no>')
    .addOption(new Option('--event <event>', 'the event to try').choices(callbackEvents).makeOptionMandatory())
    .option('--document <number>', "with the content of the document with this partner's number")
    .option('--url <url>', 'UAT accounts only: send it to this URL')
    .option('--key <name>', 'sign it with the callback secret of this logistics key');
}

async function assertKeyExists(database: Database, accountNo: string, name: string): Promise<void> {
  const keys = await database.read(noAccounts, (sql) => listPartners(sql, 'logistics_key'));
  if (!keys.some((key) => key.account_no === accountNo && key.name === name))
    throw new Failure(exitCodes.refused, `there is no key ${name} of ${accountNo}`);
}

function retvalOf(outcome: TestCallbackOutcome) {
  if (outcome.kind === 'too_many')
    throw new Failure(exitCodes.refused, `too many tests; try again in ${outcome.retryAfterSeconds} s`);
  const result = toTestResult(outcome);
  if (result.kind === 'done') return result.retval;
  const options = { document_no: '--document', callback_url: '--url', event: '--event' };
  throw new Failure(exitCodes.refused, `${options[result.field]} ${formatMessage(result.message)}`);
}
