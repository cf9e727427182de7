import { accountsChange, accountsCreate } from '../../../contract/console/accounts.ts';
import type { AnswerOf, ConsoleCall } from '../../../contract/console/console-call.ts';
import { operatorsChange, operatorsCreate } from '../../../contract/console/operators.ts';
import { clientsChange, clientsCreate } from '../../../contract/console/partner-clients.ts';
import { logisticsKeysChange, logisticsKeysCreate } from '../../../contract/console/partner-keys.ts';
import { storesChange, storesCreate, warehousesChange, warehousesCreate } from '../../../contract/console/partner-places.ts';
import { tenantsChange, tenantsCreate } from '../../../contract/console/partner-tenants.ts';
import type { ChangedPartner, CreatedPartner, PartnerRefused } from '../../../contract/console/partner-values.ts';
import { applyOne } from '../../domain/partners/apply-one.ts';
import type { PartnerMistake } from '../../domain/partners/apply-provisioning.ts';
import type { SubjectKind } from '../../domain/partners/subject.ts';
import { ProblemError } from '../problem.ts';
import { type AuditedAction, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** How a partner of a kind is called, and how a provisioning file would have it. */
interface PartnerForm {
  kind: SubjectKind;
  /** The fields that name one; the account's first. */
  names: string[];
  document(body: Record<string, unknown>): object;
}

/** Every call that creates or changes a partner is a provisioning file of one item, as the commands are. */
export function partnerChangeEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    ...pair(parts, accountsCreate, accountsChange, {
      kind: 'account',
      names: ['account_no'],
      document: (account) => ({ accounts: [account] }),
    }),
    ...pair(parts, tenantsCreate, tenantsChange, {
      kind: 'tenant',
      names: ['account_no', 'warehouse_tpw_id'],
      document: ({ account_no, ...tenant }) => ({ accounts: [{ account_no, tenants: [tenant] }] }),
    }),
    ...pair(parts, clientsCreate, clientsChange, {
      kind: 'client',
      names: ['client_id'],
      document: (client) => ({ clients: [client] }),
    }),
    ...pair(parts, logisticsKeysCreate, logisticsKeysChange, {
      kind: 'logistics_key',
      names: ['account_no', 'name'],
      document: (key) => ({ logistics_keys: [key] }),
    }),
    ...pair(parts, warehousesCreate, warehousesChange, {
      kind: 'warehouse',
      names: ['warehouse_no'],
      document: (warehouse) => ({ warehouses: [warehouse] }),
    }),
    ...pair(parts, storesCreate, storesChange, {
      kind: 'store',
      names: ['store_no'],
      document: (store) => ({ stores: [store] }),
    }),
    ...pair(parts, operatorsCreate, operatorsChange, {
      kind: 'operator',
      names: ['username'],
      document: (operator) => ({ operators: [operator] }),
    }),
  ];
}

type CreateCall = ConsoleCall<string, ConsoleCall['body'], CreatedPartner>;
type ChangeCall = ConsoleCall<string, ConsoleCall['body'], ChangedPartner>;

function pair<Create extends CreateCall, Change extends ChangeCall>(
  { database, keyring }: ConsoleParts,
  create: Create,
  change: Change,
  { kind, names, document }: PartnerForm,
): ConsoleEndpoint[] {
  const audit = (body: unknown) => auditedAction(body as Record<string, unknown>, names);
  const apply = (body: unknown, state: 'new' | 'existing', actor: string) =>
    applyOne(database, keyring, document(body as Record<string, unknown>), {
      actor,
      expect: { kind, state },
      keepsAnAdmin: kind === 'operator',
    });

  return [
    consoleEndpoint(create, {
      role: 'admin',
      audit,
      async handle(caller, body, request) {
        const outcome = await apply(body, 'new', causeOf(caller, request).actor);
        switch (outcome.kind) {
          case 'applied':
            return { kind: 'created', secrets: outcome.issued } as AnswerOf<Create>;
          case 'refused':
            return refused(outcome.mistakes) as AnswerOf<Create>;
          case 'malformed':
            throw new ProblemError({ kind: 'invalid', mistakes: outcome.mistakes });
          default:
            return outcome satisfies never;
        }
      },
    }),
    consoleEndpoint(change, {
      role: 'admin',
      audit,
      async handle(caller, body, request) {
        const outcome = await apply(body, 'existing', causeOf(caller, request).actor);
        switch (outcome.kind) {
          case 'applied': {
            const [changed] = outcome.changes;
            if (!changed) return { kind: 'unchanged' } as AnswerOf<Change>;
            return { kind: 'changed', fields: changed.fields, secrets: outcome.issued } as AnswerOf<Change>;
          }
          case 'refused':
            return refused(outcome.mistakes) as AnswerOf<Change>;
          case 'malformed':
            throw new ProblemError({ kind: 'invalid', mistakes: outcome.mistakes });
          default:
            return outcome satisfies never;
        }
      },
    }),
  ];
}

function auditedAction(body: Record<string, unknown>, names: string[]): AuditedAction {
  const details = Object.fromEntries(Object.entries(body).filter(([field]) => !names.includes(field)));
  const { account_no: accountNo } = body;
  return { subject: names.map((name) => body[name]).join('/'), ...(typeof accountNo === 'string' ? { accountNo } : {}), details };
}

function refused(mistakes: PartnerMistake[]): PartnerRefused {
  const problems = mistakes.map(({ reason, path, message }) => {
    const field = path.findLast((step) => typeof step === 'string');
    return { reason: reason ?? ('other' as const), field: typeof field === 'string' ? field : null, message };
  });
  return { kind: 'refused', problems };
}
