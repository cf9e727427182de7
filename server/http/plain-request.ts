/** A request without any unusual feature of HTTP. */
export interface PlainRequest {
  path: string;
  headers: Record<string, string>;
  /** null: not received completely yet. */
  body: Buffer | null;
  /** Length of head and body together. */
  wholeBytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const headBytesMax = 4096;
/** Node reads larger requests, as a stream. */
const plainBytesMax = 16_384;
/** Printable ASCII only: no control characters, no tabs. */
const plainHead = /^POST \/[\w/.-]* HTTP\/1\.1(?:\r\n[A-Za-z][\w-]*: ?[!-~](?:[ -~]*[!-~])?)+$/;
const pathStart = 'POST '.length;
const version = ' HTTP/1.1';
/** Headers that change how the connection or the body is read. */
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
 * Parses the plain form that nearly all requests have: POST, a bare path, each header once, a short body with a content
 * length, and no bytes after it. Returns null for everything else, which Node's parser then reads or rejects. No bytes
 * are accepted that could be read in two ways.
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

/** null: a header is repeated or unusual. */
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
