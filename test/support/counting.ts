import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { countBook, countCreate, countEnter, countReview, type ReviewLine } from '../../contract/console/counts.ts';
import type { TestApp } from './app.ts';
import type { ConsoleUser } from './console.ts';
import { live } from './live.ts';
import { retvalOf } from './main.ts';

/** The date of expiry of lots in tests about counts. */
export const expiry = '2031-01-31';

export interface TestCount {
  count_id: number;
  productOf(sku: string): Promise<number>;
  lot(sku: string, other?: Partial<CountedLot>): Promise<CountedLot>;
  /** Counts units of the good lot of a sku. */
  enter(user: ConsoleUser, sku: string, units: number, other?: Partial<CountedLot>): Promise<void>;
  /** The line of a sku; with a date, of its lot. */
  line(user: ConsoleUser, sku: string, expireDate?: string | null): Promise<ReviewLine>;
  book(user: ConsoleUser, left_out?: CountedLot[]): ReturnType<typeof bookOf>;
}

export interface CountedLot {
  product_id: number;
  stock_type: 'good' | 'bad';
  batch_id: string;
  expire_date: string | null;
}

const bookOf = (user: ConsoleUser, count_id: number, left_out: CountedLot[]) =>
  user.ask(countBook, { count_id, left_out });

/** Begins a count of these skus of the account LIVE in a warehouse. */
export async function beginCount(
  app: TestApp,
  user: ConsoleUser,
  sku_ids: string[],
  warehouse_no = 1,
): Promise<TestCount> {
  const wanted = {
    request_id: randomUUID(),
    account_no: live.accountNo,
    warehouse_no,
    scope: 'skus' as const,
    sku_ids,
  };
  const created = await user.ask(countCreate, wanted);
  assert.equal(created.kind, 'created');
  const { count_id } = created as { count_id: number };

  const productOf = async (sku: string) => {
    const [row] = await app.store.database.read(
      (sql) => sql<{ id: number }[]>`
        select product_id as id from product join account using (account_id)
        where account_no = ${live.accountNo} and sku_id = ${sku}`,
    );
    return row!.id;
  };
  const lot = async (sku: string, other: Partial<CountedLot> = {}): Promise<CountedLot> => ({
    product_id: await productOf(sku),
    stock_type: 'good',
    batch_id: '',
    expire_date: expiry,
    ...other,
  });
  return {
    count_id,
    productOf,
    lot,
    async enter(user, sku, units, other) {
      const body = { count_id, scan_id: randomUUID(), lot: await lot(sku, other), units };
      assert.equal((await user.ask(countEnter, body)).kind, 'entered');
    },
    async line(user, sku, expireDate) {
      const product = await productOf(sku);
      const { lines } = await user.ask(countReview, { count_id });
      return lines.find(
        (line) => line.product_id === product && (expireDate === undefined || line.expire_date === expireDate),
      )!;
    },
    book: (user, left_out = []) => bookOf(user, count_id, left_out),
  };
}

/** Reports a state of an order of the account LIVE. */
export async function advanceOrder(app: Pick<TestApp, 'callMain'>, number: string, status: string): Promise<void> {
  const shipment = status === 'shipped' ? { shipment_no: `S-${number}` } : {};
  const orders = [{ outbound_short_id: number, status, ...shipment }];
  retvalOf(await app.callMain('/fulfilment/advance', { orders }, { as: live }));
}
