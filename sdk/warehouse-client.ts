import { inBatches } from './batches.ts';
import { requireTexts } from './required.ts';
import { type Answer, type CallOptions, type ClientOptions, errorOf, send } from './send.ts';
import { signRequest } from './signature.ts';
import type {
  DiagnoseData,
  InboundCancelResult,
  InboundCreateBody,
  InboundData,
  InboundReturnBody,
  OutboundCancelResult,
  OutboundCreateBody,
  OutboundCreateData,
  ProductSyncBody,
  ProductSyncData,
  StockDetail,
} from './wire.ts';

export interface WarehouseClientOptions extends ClientOptions {
  accountNo: string;
  /** The shared secret. It signs requests and is never sent. */
  secret: string;
  /** The base path of the warehouse API; `/warehouse/v1` by default. */
  basePath?: string;
}

/** A request as it was sent to the warehouse API. */
export interface RejectedRequest {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

/** `duplicate`: the number was already used; these are the numbers of the original, which remains unchanged. */
export type InboundCreated = Omit<InboundData, 'success' | 'errors'> & { duplicate: boolean };
export type OutboundCreated = Omit<OutboundCreateData, 'success'>;
export type ProductSynced = Omit<ProductSyncData, 'success'>;

const cancelBatchMax = 100;
const stockQueryBatchMax = 1000;

/**
 * The warehouse API. Every attempt is signed. All methods can be repeated safely, because numbers are idempotency keys.
 */
export class WarehouseClient {
  readonly #options: WarehouseClientOptions;

  constructor(options: WarehouseClientOptions) {
    requireTexts(options, 'accountNo', 'secret');
    this.#options = options;
  }

  async productSync(body: ProductSyncBody, options?: CallOptions): Promise<ProductSynced> {
    return withoutSuccess(await this.#call<ProductSyncData>('/product/sync', body, options));
  }

  async inboundCreate(body: InboundCreateBody, options?: CallOptions): Promise<InboundCreated> {
    return await this.#createInbound('/inbound/create', body, options);
  }

  async inboundReturn(body: InboundReturnBody, options?: CallOptions): Promise<InboundCreated> {
    return await this.#createInbound('/inbound/return', body, options);
  }

  /** Returns one result per number, in the order given; more than 100 are split into several consecutive requests. */
  async inboundCancel(numbers: readonly string[], options?: CallOptions): Promise<InboundCancelResult[]> {
    return await inBatches(numbers, cancelBatchMax, async (inbound_short_ids) => {
      const data = await this.#call<{ results: InboundCancelResult[] }>(
        '/inbound/cancel',
        { inbound_short_ids },
        options,
      );
      return data.results;
    });
  }

  /** `idempotent`: the number was already used, and this is the original order. */
  async outboundCreate(body: OutboundCreateBody, options?: CallOptions): Promise<OutboundCreated> {
    return withoutSuccess(await this.#call<OutboundCreateData>('/outbound/create', body, options));
  }

  /** Returns one result per number, in the order given; more than 100 are split into several consecutive requests. */
  async outboundCancel(numbers: readonly string[], options?: CallOptions): Promise<OutboundCancelResult[]> {
    return await inBatches(numbers, cancelBatchMax, async (outbound_short_ids) => {
      const data = await this.#call<{ results: OutboundCancelResult[] }>(
        '/outbound/cancel',
        { outbound_short_ids },
        options,
      );
      return data.results;
    });
  }

  /**
   * Returns one row per sku, stock type, batch and expiry date; more than 1,000 skus are split into several consecutive
   * requests. With `warehouseTpwId`, only what that tenant can sell.
   */
  async stockQuery(
    skuIds: readonly string[],
    options: CallOptions & { warehouseTpwId?: string } = {},
  ): Promise<StockDetail[]> {
    const { warehouseTpwId: warehouse_tpw_id, ...call } = options;
    return await inBatches([...new Set(skuIds)], stockQueryBatchMax, async (sku_ids) => {
      const data = await this.#call<{ stock_details: StockDetail[] }>(
        '/stock/query',
        { sku_ids, warehouse_tpw_id },
        call,
      );
      return data.stock_details;
    });
  }

  /**
   * Asks why the signature of this request was rejected, with the headers and the body that were sent. Only UAT accounts
   * get an answer, a few times per minute. The secret of this client is not used.
   */
  async diagnose(rejected: RejectedRequest, options?: CallOptions): Promise<DiagnoseData> {
    const { basePath = '/warehouse/v1' } = this.#options;
    const answer = await send(this.#options, {
      ...options,
      path: `${basePath}/diagnose`,
      rawBody: rejected.body,
      headers: () => rejected.headers,
      repeatable: true,
    });
    return dataOf<DiagnoseData>(answer);
  }

  async #createInbound(path: string, body: InboundCreateBody, options?: CallOptions): Promise<InboundCreated> {
    const answer = await this.#send(path, body, options);
    const duplicate = answer.json?.code === 'LST-TPW-2001';
    // A duplicate has the form of a rejection, but is a success.
    const { errors: _, ...data } = duplicate ? (answer.json.data as InboundData) : dataOf<InboundData>(answer);
    return { ...withoutSuccess(data), duplicate };
  }

  async #call<Data>(path: string, body: object, options?: CallOptions): Promise<Data> {
    return dataOf<Data>(await this.#send(path, body, options));
  }

  async #send(path: string, body: object, options?: CallOptions): Promise<Answer> {
    const { accountNo, secret, basePath = '/warehouse/v1' } = this.#options;
    const headers = (text: string) => signRequest({ accountNo, secret, body: text });
    return await send(this.#options, { ...options, path: `${basePath}${path}`, body, headers, repeatable: true });
  }
}

function dataOf<Data>(answer: Answer): Data {
  const { code, message, success, data } = answer.json ?? {};
  if (success === true) return data;
  throw errorOf(answer, { code, message, errors: data?.errors });
}

function withoutSuccess<Data extends { success: boolean }>({ success: _, ...data }: Data): Omit<Data, 'success'> {
  return data;
}
