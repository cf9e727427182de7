/** A response of the service, without its body. */
export interface ServiceResponse {
  status: number;
  /** With it, the operator can find the request. */
  trace_id: string | null;
  headers: Headers;
}

/** A promise of the result of one request. */
export interface Reply<Data> extends Promise<Data> {
  /** The result together with the response: `const { data, trace_id, headers } = await client.call(...).withResponse()`. */
  withResponse(): Promise<{ data: Data } & ServiceResponse>;
}

/** A promise of the results of a list that may need several requests. */
export interface BatchReply<Result> extends Promise<Result[]> {
  /** The results together with the response to each request. */
  withResponses(): Promise<{ data: Result[]; responses: ServiceResponse[] }>;
}

/** `read` takes the result from the response, or throws. */
export function replyOf<Answer extends ServiceResponse, Data>(
  answering: Promise<Answer>,
  read: (answer: Answer) => Data,
): Reply<Data> {
  let response: ServiceResponse;
  const reading = answering.then((answer) => {
    const { status, trace_id, headers } = answer;
    response = { status, trace_id, headers };
    return read(answer);
  });
  return Object.assign(reading, { withResponse: async () => ({ data: await reading, ...response }) });
}

/**
 * Sends the bodies one after the other and collects the results. If one fails, the earlier ones have taken effect; all of
 * them can be sent again.
 */
export function sendInTurn<Body, Result>(bodies: Body[], send: (body: Body) => Reply<Result[]>): BatchReply<Result> {
  const responses: ServiceResponse[] = [];
  async function sendAll(): Promise<Result[]> {
    const results: Result[] = [];
    for (const body of bodies) {
      const { data, ...response } = await send(body).withResponse();
      responses.push(response);
      for (const result of data) results.push(result);
    }
    return results;
  }
  const data = sendAll();
  return Object.assign(data, { withResponses: async () => ({ data: await data, responses }) });
}

/** Splits a list into lists of at most `batchMax` entries. */
export function batchesOf<Entry>(entries: readonly Entry[], batchMax: number): Entry[][] {
  const batches: Entry[][] = [];
  for (let from = 0; from < entries.length; from += batchMax) batches.push(entries.slice(from, from + batchMax));
  return batches;
}
