import type { AnswerOf } from '../../../contract/console/console-call.ts';
import {
  type AccountHealth,
  accountsHealth,
  accountsProgress,
  type ConnectProblem,
  dayCountMax,
  type FirstStep,
  onboardingConnect,
} from '../../../contract/console/onboarding.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import { readMessage } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { countOrdersByDay, readHealth } from '../../domain/onboarding/account-health-queries.ts';
import { connectPartner } from '../../domain/onboarding/connect-partner.ts';
import { type FirstStep as ReadStep, readFirstSteps } from '../../domain/onboarding/first-steps.ts';
import type { PartnerMistake } from '../../domain/partners/apply-outcome.ts';
import { everyAccount } from '../../domain/partners/every-account.ts';
import { listAccounts } from '../../domain/partners/partner-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiDay } from '../../platform/clock.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { linkRequestOf, toIssuedLink } from './handover.ts';

/** From the wizard to the first calls of a partner. */
export function onboardingEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [onboardingConnectCall(parts), accountsProgressCall(parts), accountsHealthCall(parts)];
}

function onboardingConnectCall({ database, keyring, guard, addresses }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(onboardingConnect, {
    role: 'admin',
    audit: ({ account, tenant, client, logistics_key, store, hours }) => ({
      subject: account.account_no,
      accountNo: account.account_no,
      details: {
        environment: account.environment,
        ...(tenant && { tenant: tenant.warehouse_tpw_id, warehouse_no: tenant.warehouse_no }),
        ...(store && { store_no: store.store_no }),
        ...(client && { client: client.client_id, permissions: client.permissions }),
        ...(logistics_key && { logistics_key: logistics_key.name }),
        hours,
      },
    }),
    async handle(caller, body, request): Promise<AnswerOf<typeof onboardingConnect>> {
      const { account, store, tenant, client, logistics_key } = body;
      const { account_no } = account;
      if (!account.warehouse_api && !client && !logistics_key) return { kind: 'refused', problems: [noApi] };
      const document = {
        ...(store && { stores: [store] }),
        accounts: [{ ...account, ...(tenant && { tenants: [tenant] }) }],
        ...(client && { clients: [{ ...client, account_no }] }),
        ...(logistics_key && { logistics_keys: [{ ...logistics_key, account_no }] }),
      };
      const outcome = await connectPartner(database, keyring, document, {
        accountNo: account_no,
        request: linkRequestOf(caller, body),
        actor: causeOf(caller, request).actor,
        guard,
        unusedSecrets: account.warehouse_api ? [] : ['account_secret'],
      });
      switch (outcome.kind) {
        case 'connected':
          return {
            kind: 'connected',
            account_no: outcome.accountNo,
            link: toIssuedLink(outcome.link, addresses.serverUrl),
          };
        case 'refused':
          return { kind: 'refused', problems: outcome.mistakes.map(toProblem) };
        case 'malformed':
          throw new ProblemError({ kind: 'invalid', mistakes: outcome.mistakes.map(inWizard) });
        default:
          return outcome;
      }
    },
  });
}

const noApi: ConnectProblem = { reason: 'missing', field: 'account.warehouse_api', message: 'choose at least one API' };

function toProblem(mistake: PartnerMistake): ConnectProblem {
  const { reason, message } = mistake;
  return { reason: reason ?? 'other', field: fieldOf(mistake.path), message: formatMessage(message) };
}

function inWizard(mistake: Mistake): Mistake {
  return { ...mistake, path: (fieldOf(mistake.path) ?? '').split('.') };
}

const partOf: Record<string, string> = {
  accounts: 'account',
  tenants: 'tenant',
  stores: 'store',
  clients: 'client',
  logistics_keys: 'logistics_key',
};

/** The field of the call for a path of the provisioning file: `accounts[0].tenants[0].store_no` is `tenant.store_no`. */
function fieldOf(path: (string | number)[]): string | null {
  const names = path.filter((step) => typeof step === 'string');
  const field = names.at(-1);
  const part = names.findLast((name) => name in partOf);
  return part === undefined || field === undefined ? null : `${partOf[part]}.${field}`;
}

/** It names documents of all warehouses, so operators who are restricted to some are refused. */
function accountsProgressCall({ clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsProgress, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, { account_no }) {
      const now = clock.now();
      const steps = await readFirstSteps(reads, account_no, now);
      if (steps === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_account') });
      return await reads.read(noAccounts, async (sql) => {
        const accounts = await listAccounts(sql, account_no);
        const own = sql.forAccounts([accounts[0]!.accountId]);
        const [[health], days] = await Promise.all([
          readHealth(own, accounts),
          countOrdersByDay(own, accounts[0]!.accountId, taipeiDay(now, 0), dayCountMax),
        ]);
        return {
          steps: steps.map(toStep),
          health: toHealth(health!),
          orders_by_day: days.map(({ day, count, isMore }) => ({ day, count, is_more: isMore })),
        };
      });
    },
  });
}

function toStep({ kind, done, obstacle }: ReadStep): FirstStep {
  return {
    kind,
    done: done && { at: done.at, id: done.id, trace_id: done.traceId, name: done.name, is_test: done.isTest },
    obstacle: obstacle && toObstacle(obstacle),
  };
}

function toObstacle(obstacle: NonNullable<ReadStep['obstacle']>): NonNullable<FirstStep['obstacle']> {
  if (obstacle.kind === 'callback') {
    const { callbackId: callback_id, httpStatus: http_status, error, lastAt: last_at } = obstacle;
    return { kind: 'callback', callback_id, http_status, reason: readMessage(error), last_at };
  }
  const { kind, endpoint, status, code, count, traceId: trace_id, lastAt: last_at } = obstacle;
  return { kind, endpoint, status, code, count, trace_id, last_at, reason: readMessage(obstacle.reason) };
}

function accountsHealthCall(_parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(accountsHealth, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }) {
      return await reads.read(noAccounts, async (sql) => {
        const { own, accounts } = await everyAccount(sql);
        return { accounts: (await readHealth(own, accounts)).map(toHealth) };
      });
    },
  });
}

type ReadHealth = Awaited<ReturnType<typeof readHealth>>[number];

function toHealth(health: ReadHealth): AccountHealth {
  return {
    account_no: health.accountNo,
    calls_24h: health.callsDay,
    errors_24h: health.errorsDay,
    calls_7d: health.callsWeek,
    errors_7d: health.errorsWeek,
    receivers_failing: health.receiversFailing,
    callbacks_waiting: health.callbacksWaiting,
    callbacks_failed: health.callbacksFailed,
  };
}
