/** A request without anything unusual in it. */
export interface PlainRequest {
  path: string;
  headers: Record<string, string>;
  /** null: the rest of it has not come yet. */
  body: Buffer | null;
  /** The length of head and body together. */
  wholeBytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const headBytesMax = 4096;
/** Larger ones are read by Node, piece by piece. */
const plainBytesMax = 16_384;
/** Bytes that stand for themselves: no control characters, no tabs, nothing beyond ASCII. */
const plainHead = /^POST \/[\w/.-]* HTTP\/1\.1(?:\r\n[A-Za-z][\w-]*: ?[!-~](?:[ -~]*[!-~])?)+$/;
const pathStart = 'POST '.length;
const version = ' HTTP/1.1';
/** Whatever says more about the connection or the body than how long it is. */
const unusualHeaders = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
  'keep-alive',
  'http2-settings',
]);

/**
 * Reads a request that is as plain as nearly all are: POST, a bare path, each header once, a short body of an announced length, and
 * nothing behind it. null: anything else, which is for Node's parser to read or to refuse. So no byte is read here that could be read in two ways.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | null {
  const headBytes = bytes.indexOf(headEnd);
  if (headBytes === -1 || headBytes > headBytesMax) return null;
  const head = bytes.toString('latin1', 0, headBytes);
  if (!plainHead.test(head)) return null;

  const headers = readHeaders(head);
  if (headers === null) return null;
  const length = headers['content-length'];
  if (length === undefined || headers.host === undefined || !/^\d{1,5}$/.test(length)) return null;
  if (headers.connection !== undefined && headers.connection.toLowerCase() !== 'keep-alive') return null;
  const bodyStart = headBytes + headEnd.length;
  const wholeBytes = bodyStart + Number(length);
  if (wholeBytes > plainBytesMax || bytes.length > wholeBytes) return null;
  const body = bytes.length === wholeBytes ? bytes.subarray(bodyStart) : null;
  return { path: head.slice(pathStart, head.indexOf(version)), headers, body, wholeBytes };
}

/** null: one that comes twice, or one that says more than is understood here. */
function readHeaders(head: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (let at = head.indexOf('\r\n'); at !== -1; ) {
    const colon = head.indexOf(':', at);
    const next = head.indexOf('\r\n', colon);
    const name = head.slice(at + 2, colon).toLowerCase();
    if (name in headers || unusualHeaders.has(name)) return null;
    headers[name] = head.slice(colon + 1, next === -1 ? undefined : next).trimStart();
    at = next;
  }
  return headers;
}
