import type { BodyOf } from '../../../contract/console/console-call.ts';
import { inboundReceive, type ReceiptMistake } from '../../../contract/console/inbound-receive.ts';
import type { ArrivedUnits } from '../../domain/inbound/arrived-units.ts';
import type { DeliveryMistake } from '../../domain/inbound/delivery.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { inboundOfId, nameOf, noSuchInbound } from './inbound-named.ts';

type Line = BodyOf<typeof inboundReceive>['lines'][number];

/** What staff have counted of a delivery. */
export function inboundReceiveCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundReceive, {
    role: 'staff',
    audit: ({ inbound_id, receipt_no, lines }) => ({
      subject: `inbound ${inbound_id}`,
      details: { receipt_no: receipt_no ?? null, good: sum(lines, 'good'), bad: sum(lines, 'bad') },
    }),
    async handle(caller, { inbound_id, receipt_no, lines }, request) {
      const document = await inboundOfId(database, inbound_id);
      const outcome = await operations.takeReceipt({
        name: nameOf(document),
        receiptNo: receipt_no ?? null,
        content: { lines: lines.flatMap(unitsOf), isFinal: false },
        cause: causeOf(caller, request),
      });
      switch (outcome.kind) {
        case 'counted':
        case 'repeated':
        case 'conflict':
        case 'too_late':
          return outcome;
        case 'not_found':
          throw noSuchInbound();
        case 'too_many_portions':
          return { kind: outcome.kind, portions_max: outcome.portionsMax };
        case 'refused':
          return { kind: outcome.kind, mistakes: outcome.mistakes.map(wordMistake) };
        default:
          return outcome satisfies never;
      }
    },
  });
}

function sum(lines: Line[], which: 'good' | 'bad'): number {
  return lines.reduce((total, line) => total + line[which], 0);
}

function unitsOf({ sku_id, batch_id, expire_date, good, bad }: Line): ArrivedUnits[] {
  const lot = { skuId: sku_id, batchId: batch_id, expireDate: expire_date };
  const units: ArrivedUnits[] = [
    { ...lot, stockType: 'good', qty: good },
    { ...lot, stockType: 'bad', qty: bad },
  ];
  return units.filter(({ qty }) => qty > 0);
}

function wordMistake(mistake: DeliveryMistake): ReceiptMistake {
  switch (mistake.kind) {
    case 'not_announced':
      return { kind: mistake.kind, sku_id: mistake.skuId, reported: mistake.reported };
    case 'too_many': {
      const { kind, skuId, announced, received, reported, acceptedMax } = mistake;
      const still_accepted = Math.max(0, acceptedMax - received);
      return { kind, sku_id: skuId, announced, arrived: received, reported, accepted_max: acceptedMax, still_accepted };
    }
    case 'overfull':
      return { kind: mistake.kind, sku_id: mistake.skuId, units_max: mistake.unitsMax };
    default:
      return mistake satisfies never;
  }
}
