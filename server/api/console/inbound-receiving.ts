import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type InboundCancelResult,
  inboundCancel,
  inboundNoteAdd,
  inboundReceive,
  inboundStop,
  type ReceiptMistake,
} from '../../../contract/console/inbound.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { addNote } from '../../domain/documents/add-note.ts';
import type { ArrivedUnits } from '../../domain/inbound/arrived-units.ts';
import type { CancelInboundOutcome } from '../../domain/inbound/cancel-inbounds.ts';
import type { DeliveryMistake } from '../../domain/inbound/delivery.ts';
import { findInboundsById, type InboundById } from '../../domain/inbound/inbound-detail-queries.ts';
import type { InboundName } from '../../domain/inbound/inbound-queries.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

type Line = BodyOf<typeof inboundReceive>['lines'][number];

/** Receives the units that staff have counted. */
export function inboundReceiveCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundReceive, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ inbound_id, receipt_no, return_reason, lines }) => ({
      subject: `inbound ${inbound_id}`,
      details: {
        ...{ receipt_no: receipt_no ?? null, good: sum(lines, 'good'), bad: sum(lines, 'bad') },
        ...(return_reason && { return_reason }),
      },
    }),
    async handle(caller, { inbound_id, receipt_no, return_reason, lines }, request) {
      const document = await inboundOfId(database, caller, inbound_id);
      if (return_reason && document.kind !== 'return') throw mistakeAt('return_reason', rejection('reason_not_return'));
      if (return_reason && receipt_no === undefined)
        throw mistakeAt('return_reason', rejection('reason_without_receipt'));
      const outcome = await operations.submitReceipt({
        name: nameOf(document),
        receiptNo: receipt_no ?? null,
        returnReason: return_reason ?? null,
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
          return { kind: outcome.kind, mistakes: outcome.mistakes.map(toMistake) };
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

function toMistake(mistake: DeliveryMistake): ReceiptMistake {
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

export function inboundStopCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundStop, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ inbound_id }) => ({ subject: `inbound ${inbound_id}` }),
    async handle(caller, { inbound_id }, request) {
      const document = await inboundOfId(database, caller, inbound_id);
      const outcome = await operations.stopReceiving({ name: nameOf(document), cause: causeOf(caller, request) });
      if (outcome.kind === 'not_found') throw noSuchInbound();
      return outcome;
    },
  });
}

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
    warehouses: 'own',
    audit: ({ inbound_ids }) => ({
      ...(inbound_ids.length === 1 ? { subject: `inbound ${inbound_ids[0]}` } : {}),
      details: { inbound_ids },
    }),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { inbound_ids }, request) {
      const documents = await database.read(noAccounts, (sql) => findInboundsById(sql, inbound_ids));
      refuseOtherWarehouses(
        caller,
        documents.map(({ warehouse_no }) => warehouse_no),
      );
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

export function inboundNoteAddCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundNoteAdd, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ inbound_id }) => ({ subject: `inbound ${inbound_id}` }),
    async handle(caller, { inbound_id, text }) {
      const { account_id: accountId } = await inboundOfId(database, caller, inbound_id);
      const note = {
        type: 'inbound',
        documentId: inbound_id,
        accountId,
        author: caller.session.username,
        text: text.trim(),
      } as const;
      return await database.transaction([accountId], (tx) => addNote(tx, note));
    },
  });
}

/** Pages name documents by their ids, operations by their partners' numbers. */
async function inboundOfId(database: Database, caller: ConsoleCaller, inboundId: number): Promise<InboundById> {
  const [document] = await database.read(noAccounts, (sql) => findInboundsById(sql, [inboundId]));
  if (!document) throw noSuchInbound();
  refuseOtherWarehouses(caller, [document.warehouse_no]);
  return document;
}

export function nameOf({ account_id, partner_number, channel }: InboundById): InboundName {
  return { accountId: account_id, partnerNumber: partner_number, isLogistics: channel === 'logistics' };
}

export function noSuchInbound(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_inbound') });
}
