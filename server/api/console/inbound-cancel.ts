import { type InboundCancelResult, inboundCancel } from '../../../contract/console/inbound-cancel.ts';
import type { CancelInboundOutcome } from '../../domain/inbound/cancel-inbounds.ts';
import { findInboundsById, type InboundById } from '../../domain/inbound/inbound-detail-queries.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { nameOf } from './inbound-named.ts';

/** Documents of several accounts and channels, each with its own result. */
export function inboundCancelCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  async function cancelAlike(documents: InboundById[], cause: Cause): Promise<[number, CancelInboundOutcome][]> {
    const { accountId, isLogistics } = nameOf(documents[0]!);
    const partnerNumbers = documents.map(({ partner_number }) => partner_number);
    const outcomes = await operations.cancelInbounds({ accountId, isLogistics, partnerNumbers, cause });
    return documents.map(({ inbound_id }, index) => [inbound_id, outcomes[index]!]);
  }

  return consoleEndpoint(inboundCancel, {
    role: 'staff',
    audit: ({ inbound_ids }) => ({
      ...(inbound_ids.length === 1 ? { subject: `inbound ${inbound_ids[0]}` } : {}),
      details: { inbound_ids },
    }),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { inbound_ids }, request) {
      const documents = await database.read((sql) => findInboundsById(sql, inbound_ids));
      const alike = Map.groupBy(documents, ({ account_id, channel }) => `${account_id}/${channel}`);
      const outcomes = new Map(
        (await Promise.all([...alike.values()].map((those) => cancelAlike(those, causeOf(caller, request))))).flat(),
      );
      const numberOf = new Map(documents.map(({ inbound_id, partner_number }) => [inbound_id, partner_number]));
      return {
        results: inbound_ids.map((inbound_id): InboundCancelResult => {
          const outcome = outcomes.get(inbound_id) ?? { kind: 'not_found' };
          return { inbound_id, partner_number: numberOf.get(inbound_id) ?? null, ...outcome };
        }),
      };
    },
  });
}

/** `cancelled 2, too_late 1`. */
function countKinds(results: { kind: string }[]): string {
  return [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, those]) => `${kind} ${those.length}`).join(', ');
}
