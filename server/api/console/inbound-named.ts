import { findInboundsById, type InboundById } from '../../domain/inbound/inbound-detail-queries.ts';
import type { InboundName } from '../../domain/inbound/inbound-queries.ts';
import type { Database } from '../../platform/database.ts';
import { ProblemError } from '../problem.ts';

/** Pages name documents by their ids, operations by their partners' numbers. */
export async function inboundOfId(database: Database, inboundId: number): Promise<InboundById> {
  const [document] = await database.read((sql) => findInboundsById(sql, [inboundId]));
  if (!document) throw noSuchInbound();
  return document;
}

export function nameOf({ account_id, partner_number, channel }: InboundById): InboundName {
  return { accountId: account_id, partnerNumber: partner_number, isLogistics: channel === 'logistics' };
}

export function noSuchInbound(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: 'there is no such inbound document' });
}
