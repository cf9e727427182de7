import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import {
  beforeAll,
  type CorrectedLots,
  type CreationPosition,
  countBelongings,
  countExampleTests,
  findCorrectedLots,
  findOldDocuments,
  type OldDocument,
  type PurgedKind,
  type Stretch,
  sumCorrections,
  type UatAccount,
  uatAccounts,
} from './purge-queries.ts';

/** The rows that a purge would delete from an account. */
export interface PurgePreview {
  accountNo: string;
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
}

const documentsAtOnce = 5000;
const lotsAtOnce = 1000;

/**
 * Counts what would be deleted, by account; accounts without anything to delete are left out. Nothing is changed or
 * locked.
 */
export async function previewPurge(
  database: Database,
  madeBefore: Date,
  onProgress: (line: string) => void = () => {},
): Promise<PurgePreview[]> {
  const previews: PurgePreview[] = [];
  for (const account of await database.read(noAccounts, uatAccounts)) {
    const { accountId, accountNo } = account;
    const orders = await countDocuments(database, 'order', account, madeBefore, onProgress);
    const inbounds = await countDocuments(database, 'inbound', account, madeBefore, onProgress);
    const corrections = await countCorrections(database, accountId, madeBefore);
    const movements = orders.movements + inbounds.movements + corrections;
    const tests = await database.read([accountId], (sql) => countExampleTests(sql, { accountId, madeBefore }));
    const callbacks = orders.callbacks + inbounds.callbacks + tests;
    if (orders.documents + inbounds.documents + movements + callbacks > 0) {
      previews.push({ accountNo, orders: orders.documents, inbounds: inbounds.documents, movements, callbacks });
    }
  }
  return previews;
}

async function countDocuments(
  database: Database,
  kind: PurgedKind,
  { accountId, accountNo }: UatAccount,
  madeBefore: Date,
  onProgress: (line: string) => void,
) {
  const total = { documents: 0, movements: 0, callbacks: 0 };
  for (let after: CreationPosition | undefined = beforeAll; after !== undefined; ) {
    const stretch: Stretch = { accountId, madeBefore, after };
    const documents: OldDocument[] = await database.read([accountId], (sql) =>
      findOldDocuments(sql, kind, stretch, documentsAtOnce),
    );
    const ids = documents.map((document) => document.id);
    const { movements, callbacks } = await database.read([accountId], (sql) =>
      countBelongings(sql, kind, { accountId, ids }),
    );
    total.documents += documents.length;
    total.movements += movements;
    total.callbacks += callbacks;
    onProgress(`${total.documents} ${kind === 'order' ? 'orders' : 'inbound documents'} of ${accountNo} counted`);
    after = documents.length < documentsAtOnce ? undefined : documents.at(-1);
  }
  return total;
}

async function countCorrections(database: Database, accountId: number, madeBefore: Date): Promise<number> {
  let movements = 0;
  for (let afterLotId: number | undefined = 0; afterLotId !== undefined; ) {
    const stretch: CorrectedLots = { accountId, madeBefore, afterLotId };
    const lotIds: number[] = await database.read([accountId], (sql) => findCorrectedLots(sql, stretch, lotsAtOnce));
    const sums = await database.read([accountId], (sql) => sumCorrections(sql, accountId, lotIds, madeBefore));
    for (const sum of sums) if (sum.onHand >= 0) movements += sum.movements;
    afterLotId = lotIds.length < lotsAtOnce ? undefined : lotIds.at(-1);
  }
  return movements;
}
