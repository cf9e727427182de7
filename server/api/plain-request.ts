/** A request without anything unusual in it. */
export interface PlainRequest {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');
const headBytesMax = 4096;
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
 * Reads a request that has come whole and is as plain as nearly all are: POST, a bare path, each header once, a body as long as announced, and
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
  return bytes.length === bodyStart + Number(length)
    ? { path: head.slice(pathStart, head.indexOf(version)), headers, body: bytes.subarray(bodyStart) }
    : null;
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
