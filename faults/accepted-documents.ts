import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import type { FuzzTally } from './fuzz-tally.ts';

type Json = Record<string, unknown>;

/** Remembers which documents the service accepted and rejected, and compares them with the database at the end. */
export class AcceptedDocuments {
  private readonly orders: Set<string>;
  private readonly inbounds: Set<string>;
  private readonly receipts: Set<string>;
  /** With the name that was sent last; null: an order or a form has created the product. */
  private readonly products: Map<string, string | null>;
  private readonly refusedTraces: Set<string>;

  constructor() {
    this.orders = new Set();
    this.inbounds = new Set();
    this.receipts = new Set();
    this.products = new Map();
    this.refusedTraces = new Set();
  }

  noteRefused(traceId: string): void {
    this.refusedTraces.add(traceId);
  }

  note(operationId: string, body: Json): void {
    switch (operationId) {
      case 'productSync':
        this.products.set(String(body.sku_id), String(body.sku_name));
        return;
      case 'inboundCreate':
      case 'inboundReturn':
        this.inbounds.add(String(body.inbound_short_id));
        return;
      case 'outboundCreate':
      case 'ordersCreate':
        this.orders.add(String(body.outbound_short_id));
        return;
      case 'shippingOrder':
        this.noteProducts(body.products as Json[]);
        this.orders.add(String(body.internal_name));
        return;
      case 'inboundForm':
        if (body.form_type === 3) return;
        this.noteProducts(body.products as Json[]);
        this.inbounds.add(String(body.form_no));
        return;
      case 'inboundsReceive':
        if (body.receipt_no) this.receipts.add(receiptKey(body.inbound_short_id ?? body.form_no, body.receipt_no));
    }
  }

  private noteProducts(items: Json[]): void {
    for (const { sku } of items) if (!this.products.has(String(sku))) this.products.set(String(sku), null);
  }

  /** The database must hold exactly what was accepted, and no rejected call may have changed anything. */
  async compareStored(sql: Sql, tally: FuzzTally): Promise<void> {
    const orders = await inEveryAccount(
      sql,
      (own, accountId) =>
        own<{ number: string }[]>`select partner_number as number from orders where account_id = ${accountId}`,
    );
    const inbounds = await inEveryAccount(
      sql,
      (own, accountId) =>
        own<
          { number: string }[]
        >`select partner_number as number from inbound_document where account_id = ${accountId}`,
    );
    const products = await inEveryAccount(
      sql,
      (own, accountId) =>
        own<
          { number: string; name: string }[]
        >`select sku_id as number, name from product where account_id = ${accountId}`,
    );
    const receipts = await inEveryAccount(
      sql,
      (own, accountId) => own<{ number: string; receiptNo: string }[]>`
      select partner_number as number, receipt_no as "receiptNo" from receipt join inbound_document using (account_id, inbound_id)
      where account_id = ${accountId}`,
    );
    const receiptKeys = receipts.map(({ number, receiptNo }) => receiptKey(number, receiptNo));
    compareNumbers('receipt', receiptKeys, this.receipts, tally);
    compareNumbers('order', numbersOf(orders), this.orders, tally);
    compareNumbers('inbound document', numbersOf(inbounds), this.inbounds, tally);
    compareNumbers('product', numbersOf(products), this.products, tally);
    for (const { number, name } of products) {
      const sentName = this.products.get(number);
      if (sentName && sentName !== name) tally.find(`the name of product ${number} was ${sentName} and is ${name}`);
    }
    await this.compareTraces(sql, tally);
  }

  private async compareTraces(sql: Sql, tally: FuzzTally): Promise<void> {
    const traces = await inEveryAccount(
      sql,
      (own, accountId) => own<{ trace_id: string }[]>`
      select trace_id from orders where account_id = ${accountId}
      union select trace_id from inbound_document where account_id = ${accountId}
      union select trace_id from movement where account_id = ${accountId}
      union select trace_id from state_change where account_id = ${accountId}`,
    );
    for (const { trace_id } of traces)
      if (this.refusedTraces.has(trace_id)) tally.find(`the rejected call ${trace_id} has changed something`);
  }
}

function numbersOf(rows: { number: string }[]): string[] {
  return rows.map(({ number }) => number);
}

function compareNumbers(
  kind: string,
  stored: string[],
  accepted: { keys(): Iterable<string>; has(number: string): boolean },
  tally: FuzzTally,
): void {
  const found = new Set(stored);
  for (const number of accepted.keys())
    if (!found.has(number)) tally.findLost(`the ${kind} ${JSON.stringify(number)} was accepted and is not stored`);
  for (const number of found)
    if (!accepted.has(number)) tally.find(`the ${kind} ${JSON.stringify(number)} is stored and was not accepted`);
}

function receiptKey(documentNumber: unknown, receiptNo: unknown): string {
  return JSON.stringify([documentNumber, receiptNo]);
}
