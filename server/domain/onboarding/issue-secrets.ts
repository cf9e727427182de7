import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { IssuedSecret } from '../partners/apply-outcome.ts';
import { accountNoOf } from '../partners/owned-name.ts';
import { findPartner, listAccounts, lockPartners } from '../partners/partner-queries.ts';
import { rotateLocked } from '../partners/rotate-secret.ts';
import type { SecretKind } from '../partners/secret.ts';
import { findRepeated, type IssuedLink, issueLink, type LinkRequest } from './issue-link.ts';

export type IssueOutcome =
  | { kind: 'issued'; link: IssuedLink }
  /** The account, or one of the secrets in it, does not exist. */
  | { kind: 'not_found' }
  | { kind: 'other_request' };

interface SecretsToIssue {
  accountNo: string;
  secrets: { kind: SecretKind; owner: string }[];
  actor: string;
  overlapSeconds: number;
}

/** Rotates secrets of an account and issues one link to the new ones, all or nothing. A repeat finds the first link. */
export async function issueSecrets(
  database: Database,
  keyring: Keyring,
  { accountNo, secrets, ...options }: SecretsToIssue,
  request: LinkRequest,
): Promise<IssueOutcome> {
  return await database
    .transaction(noAccounts, async (tx): Promise<IssueOutcome> => {
      await lockPartners(tx);
      const earlier = await findRepeated(tx, keyring, request);
      if (earlier !== null) return earlier.kind === 'repeated' ? { kind: 'issued', link: earlier.link } : earlier;

      const [account] = await listAccounts(tx, accountNo);
      if (!account) throw new NotFound();
      const issued: IssuedSecret[] = [];
      for (const secret of secrets) {
        if (!(await belongsTo(tx, account, secret))) throw new NotFound();
        const rotated = await rotateLocked(tx, keyring, secret, options);
        if (rotated.kind === 'not_found') throw new NotFound();
        issued.push(rotated.issued);
      }
      return { kind: 'issued', link: await issueLink(tx, keyring, account.accountId, issued, request) };
    })
    .catch((error) => {
      if (error instanceof NotFound) return { kind: 'not_found' };
      throw error;
    });
}

/** Rolls back what was already rotated. */
class NotFound extends Error {}

async function belongsTo(
  tx: Tx,
  { accountId, accountNo }: { accountId: number; accountNo: string },
  { kind, owner }: { kind: SecretKind; owner: string },
): Promise<boolean> {
  if (kind === 'account_secret' || kind === 'account_callback_secret') return owner === accountNo;
  if (kind !== 'check_value') return accountNoOf(owner) === accountNo;
  const client = await findPartner(tx, 'client', { client_id: owner });
  return client?.account_id === accountId;
}
