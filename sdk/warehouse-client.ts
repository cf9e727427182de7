import { ClockSkewError } from './errors.ts';
import { type BatchReply, batchesOf, type Reply, replyOf, sendInTurn } from './reply.ts';
import { requireTexts } from './required.ts';
import { type Answer, type CallOptions, type ClientOptions, errorOf, send } from './send.ts';
import { signRequestAsync } from './signature.ts';
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
  body: string | Uint8Array;
}

/** They describe the connection of the rejected request. With them, a copy of all its headers could not be sent. */
const headersOfConnection =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|accept-encoding|expect|te|trailer|upgrade)$/i;

function withoutConnection(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !headersOfConnection.test(name)));
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

  productSync(body: ProductSyncBody, options?: CallOptions): Reply<ProductSynced> {
    return this.#call('/product/sync', body, options, (answer) => withoutSuccess(dataOf<ProductSyncData>(answer)));
  }

  inboundCreate(body: InboundCreateBody, options?: CallOptions): Reply<InboundCreated> {
    return this.#call('/inbound/create', body, options, createdInbound);
  }

  inboundReturn(body: InboundReturnBody, options?: CallOptions): Reply<InboundCreated> {
    return this.#call('/inbound/return', body, options, createdInbound);
  }

  /** Returns one result per number, in the order given; more than 100 are split into several consecutive requests. */
  inboundCancel(numbers: readonly string[], options?: CallOptions): BatchReply<InboundCancelResult> {
    return sendInTurn(batchesOf(numbers, cancelBatchMax), (inbound_short_ids) =>
      this.#call('/inbound/cancel', { inbound_short_ids }, options, resultsOf<InboundCancelResult>),
    );
  }

  /** `idempotent`: the number was already used, and this is the original order. */
  outboundCreate(body: OutboundCreateBody, options?: CallOptions): Reply<OutboundCreated> {
    return this.#call('/outbound/create', body, options, (answer) =>
      withoutSuccess(dataOf<OutboundCreateData>(answer)),
    );
  }

  /** Returns one result per number, in the order given; more than 100 are split into several consecutive requests. */
  outboundCancel(numbers: readonly string[], options?: CallOptions): BatchReply<OutboundCancelResult> {
    return sendInTurn(batchesOf(numbers, cancelBatchMax), (outbound_short_ids) =>
      this.#call('/outbound/cancel', { outbound_short_ids }, options, resultsOf<OutboundCancelResult>),
    );
  }

  /**
   * Returns one row per sku, stock type, batch and expiry date; more than 1,000 skus are split into several consecutive
   * requests. With `warehouseTpwId`, only what that tenant can sell.
   */
  stockQuery(
    skuIds: readonly string[],
    options: CallOptions & { warehouseTpwId?: string } = {},
  ): BatchReply<StockDetail> {
    const { warehouseTpwId: warehouse_tpw_id, ...call } = options;
    return sendInTurn(batchesOf([...new Set(skuIds)], stockQueryBatchMax), (sku_ids) =>
      this.#call('/stock/query', { sku_ids, warehouse_tpw_id }, call, stockDetailsOf),
    );
  }

  /**
   * Asks why the signature of this request was rejected, with the headers and the body that were sent. Only UAT accounts
   * get an answer, a few times per minute. The secret of this client is not used.
   */
  diagnose(rejected: RejectedRequest, options?: CallOptions): Reply<DiagnoseData> {
    const { basePath = '/warehouse/v1' } = this.#options;
    const call = {
      path: `${basePath}/diagnose`,
      rawBody: rejected.body,
      headers: () => withoutConnection(rejected.headers),
    };
    return replyOf(send(this.#options, { ...options, ...call, repeatable: true }), dataOf<DiagnoseData>);
  }

  #call<Data>(
    path: string,
    body: object,
    options: CallOptions | undefined,
    read: (answer: Answer) => Data,
  ): Reply<Data> {
    return replyOf(this.#send(path, body, options), read);
  }

  async #send(path: string, body: object, options?: CallOptions): Promise<Answer> {
    const { accountNo, secret, basePath = '/warehouse/v1' } = this.#options;
    const headers = (text: string) => signRequestAsync({ accountNo, secret, body: text });
    const call = { ...options, path: `${basePath}${path}`, body, headers, repeatable: true };
    const answer = await send(this.#options, call);
    refuseClockSkew(answer);
    return answer;
  }
}

const clockToleranceSeconds = 300;
/** The header `date` has no fractions, and the response takes a moment. */
const clockErrorSeconds = 2;

/** The service answers a signature outside its window like one with a wrong secret. Its `date` tells them apart. */
function refuseClockSkew({ status, headers, trace_id, json }: Answer): void {
  const serviceTimeMs = Date.parse(headers.get('date') ?? '');
  if (status !== 401 || Number.isNaN(serviceTimeMs)) return;
  const skewSeconds = Math.round((Date.now() - serviceTimeMs) / 1000);
  if (Math.abs(skewSeconds) < clockToleranceSeconds - clockErrorSeconds) return;
  throw new ClockSkewError(
    { status, code: json?.code ?? null, trace_id, errors: json?.data?.errors ?? [] },
    skewSeconds,
  );
}

function dataOf<Data>(answer: Answer): Data {
  const { code, message, success, data } = answer.json ?? {};
  if (success === true) return data;
  throw errorOf(answer, { code, message, errors: data?.errors });
}

function resultsOf<Result>(answer: Answer): Result[] {
  return dataOf<{ results: Result[] }>(answer).results;
}

function stockDetailsOf(answer: Answer): StockDetail[] {
  return dataOf<{ stock_details: StockDetail[] }>(answer).stock_details;
}

/** A duplicate has the form of a rejection, but is a success. */
function createdInbound(answer: Answer): InboundCreated {
  const duplicate = answer.json?.code === 'LST-TPW-2001';
  const { errors: _, ...data } = duplicate ? (answer.json.data as InboundData) : dataOf<InboundData>(answer);
  return { ...withoutSuccess(data), duplicate };
}

function withoutSuccess<Data extends { success: boolean }>({ success: _, ...data }: Data): Omit<Data, 'success'> {
  return data;
}
