import type { AnswerOf, ConsoleCall } from '../../../contract/console/console-call.ts';
import { operatorsChange, operatorsCreate } from '../../../contract/console/operators.ts';
import {
  accountsChange,
  accountsCreate,
  type ChangedPartner,
  type CreatedPartner,
  clientsChange,
  clientsCreate,
  logisticsKeysChange,
  logisticsKeysCreate,
  type PartnerRefused,
  secretsRotate,
  storesChange,
  storesCreate,
  tenantsChange,
  tenantsCreate,
  warehousesChange,
  warehousesCreate,
} from '../../../contract/console/partners.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import { applyOne } from '../../domain/partners/apply-one.ts';
import type { PartnerMistake } from '../../domain/partners/apply-outcome.ts';
import { accountNoOf, ownedName } from '../../domain/partners/owned-name.ts';
import { rotateSecret } from '../../domain/partners/rotate-secret.ts';
import type { SubjectKind } from '../../domain/partners/subject.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { type AuditedAction, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** A kind of partner: the fields that name one, and its form in a provisioning file. */
interface PartnerForm {
  kind: SubjectKind;
  /** The fields that name one; the account's first. */
  names: string[];
  document(body: Record<string, unknown>): object;
}

/** Like the commands, every call that creates or changes a partner applies a provisioning file with one item. */
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
  { database, keyring, guard }: ConsoleParts,
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
      guard,
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
  const [first, second] = names.map((name) => String(body[name]));
  return {
    subject: second === undefined ? first! : ownedName(first!, second),
    ...(typeof accountNo === 'string' ? { accountNo } : {}),
    details,
  };
}

function refused(mistakes: PartnerMistake[]): PartnerRefused {
  const problems = mistakes.map(({ reason, path, message }) => {
    const field = path.findLast((step) => typeof step === 'string');
    return {
      reason: reason ?? ('other' as const),
      field: typeof field === 'string' ? field : null,
      message: formatMessage(message),
    };
  });
  return { kind: 'refused', problems };
}

export function secretsRotateCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(secretsRotate, {
    role: 'admin',
    audit: ({ kind, owner, overlap_s }) => ({
      subject: owner,
      ...accountOf(kind, owner),
      details: { kind, overlap_s },
    }),
    async handle(caller, { kind, owner, overlap_s }, request): Promise<AnswerOf<typeof secretsRotate>> {
      const { actor } = causeOf(caller, request);
      const outcome = await rotateSecret(database, keyring, { kind, owner }, { actor, overlapSeconds: overlap_s });
      if (outcome.kind === 'not_found') return outcome;
      const until = overlap_s === 0 ? null : taipeiInstant(outcome.previousValidUntil);
      return { kind: 'rotated', secret: { ...outcome.issued, kind }, previous_valid_until: until };
    },
  });
}

/** The account of a client is only known to the database. */
function accountOf(kind: string, owner: string): { accountNo?: string } {
  if (kind === 'account_secret' || kind === 'account_callback_secret') return { accountNo: owner };
  const isOwned = kind === 'logistics_key' || kind === 'callback_secret' || kind === 'tenant_callback_secret';
  return isOwned ? { accountNo: accountNoOf(owner) } : {};
}
