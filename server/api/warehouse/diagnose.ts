import type { DiagnoseData } from '../../../contract/warehouse/diagnose.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import type { RawEndpoint } from '../../http/endpoint.ts';
import { limitRate } from '../../http/mount-contract.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.ts';
import { asDiagnosedRequest, type Diagnoser } from '../../signature-doctor/diagnose-in-background.ts';
import { readHeader } from '../../signature-doctor/headers.ts';
import { success } from './envelope.ts';
import { checkSignature } from './signature.ts';

/**
 * Tells a UAT account why a signature of its own was rejected. The sender is not authenticated, so a production account
 * and an unknown one get the same 401 as any other request, after the same work.
 */
export function diagnose(options: {
  enabled: boolean;
  directory: AccountDirectory;
  clock: Clock;
  diagnoser: Diagnoser;
  limit: RateLimit;
}): RawEndpoint {
  const { enabled, directory, clock, diagnoser, limit } = options;
  return {
    path: '/diagnose',
    async serve(request, body) {
      if (!enabled) throw new ProblemError({ kind: 'not_enabled', reason: reason('warehouse_api_off') });
      const { headers, url, record } = request;
      const sent = { headers, url, body, refusedAt: clock.now() };
      const account = await findUatAccount(directory, readHeader('account-no', headers, url).value);
      if (account === null) {
        record.diagnose = diagnoser.take(sent);
        throw new ProblemError({ kind: 'unauthorized', reason: reason('diagnosis_for_uat_only') });
      }
      record.accountNo = account.accountNo;
      limitRate(limit, account.accountNo);

      const check = await checkSignature(headers, body, directory, clock);
      // The check has read the current secrets before it failed.
      const current = directory.known().get(account.accountNo) ?? account;
      const found = check.kind === 'verified' ? nothingWrong : await diagnoser.diagnoseFor(current, sent);
      if (found === null) throw new ProblemError({ kind: 'overloaded', reason: reason('diagnoser_busy') });
      if (check.kind === 'refused') record.diagnose = async () => asDiagnosedRequest({ ...found, provenBy: null });

      // The account or its secret may have changed between the check and the diagnosis.
      const isRight = found.findings.every(({ code }) => code === 'matches_now');
      const findings = isRight ? [] : found.findings;
      const data: DiagnoseData = {
        signature_matches: isRight,
        findings: findings.map((finding) => ({ code: finding.code, message: formatMessage(finding) })),
      };
      return success(request.id, data);
    },
  };
}

const nothingWrong = { findings: [], provenBy: null };

/** Asks the database before any other account is rejected, so that the time does not tell a known one from others. */
async function findUatAccount(directory: AccountDirectory, accountNo: string | null): Promise<KnownAccount | null> {
  if (accountNo === null) return null;
  const known = await directory.find(accountNo);
  if (known !== null && mayAsk(known)) return known;
  const current = await directory.findNow(accountNo);
  return current !== null && mayAsk(current) ? current : null;
}

function mayAsk({ environment, enabled, warehouseApi }: KnownAccount): boolean {
  return environment === 'uat' && enabled && warehouseApi;
}
