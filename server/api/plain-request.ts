/** A request without anything unusual in it. */
export interface PlainRequest {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const post = Buffer.from('POST /');
const headEnd = Buffer.from('\r\n\r\n');
const headBytesMax = 4096;
const requestLine = /^POST (\/[\w/.-]*) HTTP\/1\.1$/;
/** Bytes that stand for themselves: no control characters, no tabs, nothing beyond ASCII. */
const headerLine = /^([A-Za-z][\w-]*): ?([!-~](?:[ -~]*[!-~])?)$/;
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
  if (bytes.compare(post, 0, post.length, 0, post.length) !== 0) return null;
  const headBytes = bytes.indexOf(headEnd);
  if (headBytes === -1 || headBytes > headBytesMax) return null;
  const [first, ...lines] = bytes.toString('latin1', 0, headBytes).split('\r\n');
  const path = requestLine.exec(first!)?.[1];
  if (path === undefined) return null;

  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined) return null;
    const lowerName = name.toLowerCase();
    if (lowerName in headers || unusualHeaders.has(lowerName)) return null;
    headers[lowerName] = value!;
  }
  const length = headers['content-length'];
  if (length === undefined || headers.host === undefined || !/^\d{1,5}$/.test(length)) return null;
  if (headers.connection !== undefined && headers.connection.toLowerCase() !== 'keep-alive') return null;
  const bodyStart = headBytes + headEnd.length;
  return bytes.length === bodyStart + Number(length) ? { path, headers, body: bytes.subarray(bodyStart) } : null;
}
