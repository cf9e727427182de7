import type { AnswerOf, BodyOf } from '../../../contract/console/console-call.ts';
import {
  handoverIssue,
  handoverLinks,
  handoverRevoke,
  type IssuedLink,
  type ListedLink,
  linksListedMax,
  type onboardingConnect,
} from '../../../contract/console/onboarding.ts';
import { handoverPath } from '../../../contract/handover.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { listLinks } from '../../domain/onboarding/handover-link-queries.ts';
import type { IssuedLink as Issued, LinkRequest } from '../../domain/onboarding/issue-link.ts';
import { issueSecrets } from '../../domain/onboarding/issue-secrets.ts';
import { revokeLink } from '../../domain/onboarding/open-link.ts';
import { accountIdsOf } from '../../domain/partners/partner-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { contentDigest, inOneForm } from '../../platform/json/content-digest.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Links to the secrets of a partner. */
export function handoverEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [handoverIssueCall(parts), handoverLinksCall(parts), handoverRevokeCall(parts)];
}

type LinkBody = BodyOf<typeof onboardingConnect> | BodyOf<typeof handoverIssue>;

export function linkRequestOf({ session }: ConsoleCaller, body: LinkBody): LinkRequest {
  const { request_id: requestId, hours, language } = body;
  return { requestId, requestDigest: contentDigest(inOneForm(body)), username: session.username, hours, language };
}

/** The token is in the fragment, which browsers never send: it is in no log of a proxy, and no preview can open it. */
export function toIssuedLink({ linkId, token, language, expiresAt }: Issued, serverUrl: string): IssuedLink {
  return {
    link_id: linkId,
    url: token === null ? null : `${serverUrl}${handoverPath}?lang=${language}#${token}`,
    language,
    expires_at: taipeiInstant(expiresAt),
  };
}

function handoverIssueCall({ database, keyring, addresses }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(handoverIssue, {
    role: 'admin',
    audit: ({ account_no, secrets, overlap_s, hours }) => ({
      subject: account_no,
      accountNo: account_no,
      details: { secrets: secrets.map(({ kind, owner }) => `${kind} ${owner}`), overlap_s, hours },
    }),
    async handle(caller, body, request): Promise<AnswerOf<typeof handoverIssue>> {
      const { account_no: accountNo, secrets, overlap_s: overlapSeconds } = body;
      const { actor } = causeOf(caller, request);
      const wanted = { accountNo, secrets, actor, overlapSeconds };
      const outcome = await issueSecrets(database, keyring, wanted, linkRequestOf(caller, body));
      if (outcome.kind !== 'issued') return outcome;
      return { kind: 'issued', link: toIssuedLink(outcome.link, addresses.serverUrl) };
    },
  });
}

function handoverLinksCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(handoverLinks, {
    role: 'staff',
    audit: null,
    async handle(_caller, { account_no }) {
      const links = await database.read(noAccounts, (sql) => listLinks(sql, account_no, linksListedMax));
      return { links: links as ListedLink[] };
    },
  });
}

function handoverRevokeCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(handoverRevoke, {
    role: 'admin',
    audit: ({ account_no, link_id }) => ({ subject: account_no, accountNo: account_no, details: { link_id } }),
    async handle({ session: { username } }, { account_no, link_id: linkId }) {
      const [accountId] = await database.read(noAccounts, (sql) => accountIdsOf(sql, account_no));
      if (accountId === undefined) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_account') });
      const outcome = await revokeLink(database, { accountId, linkId, username });
      return { kind: outcome.kind };
    },
  });
}
