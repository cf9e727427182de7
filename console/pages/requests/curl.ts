import type { RequestRow } from '../../../contract/console/requests.ts';

const noBody = '{}';

/**
 * A shell script that sends the recorded call again, or null if only a browser can. The log has neither bodies nor
 * secrets, so the variables at its top are to be filled in.
 */
export function curlOf(
  { contract, method, endpoint, account_no }: Pick<RequestRow, 'contract' | 'method' | 'endpoint' | 'account_no'>,
  origin: string,
): string | null {
  const how = callers[contract as keyof typeof callers];
  if (how === undefined || !/^[A-Z]+$/.test(method)) return null;
  const { before, headers } = how(endpoint, account_no ?? 'ACCOUNT');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const sent = [...(hasBody ? ["'content-type: application/json'"] : []), ...headers];
  return [
    ...before,
    ...(hasBody && !before.some((line) => line.startsWith('BODY=')) ? [`BODY='${noBody}'`] : []),
    [
      `curl -X ${method} ${quoted(origin + endpoint)}`,
      ...sent.map((header) => `-H ${header}`),
      ...(hasBody ? ['--data-binary "$BODY"'] : []),
    ].join(' \\\n  '),
  ].join('\n');
}

interface How {
  before: string[];
  /** In quotation marks of the shell. */
  headers: string[];
}

const callers: Record<'warehouse' | 'main' | 'logistics', (endpoint: string, accountNo: string) => How> = {
  warehouse: (_endpoint, accountNo) => ({
    before: [
      "SECRET='ACCOUNT_SECRET'",
      `BODY='${noBody}'`,
      'TIMESTAMP=$(date +%s)',
      `SIGN=$(printf '%s%s' "$BODY" "$TIMESTAMP" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
    ],
    headers: [quoted(`account-no: ${accountNo}`), '"timestamp: $TIMESTAMP"', '"sign: $SIGN"'],
  }),
  main: (endpoint) =>
    endpoint.endsWith('/getToken')
      ? { before: [`BODY='{"ClientId":"CLIENT_ID","CheckValue":"CHECK_VALUE"}'`], headers: [] }
      : { before: ["TOKEN='ACCESS_TOKEN'"], headers: ['"authorization: Bearer $TOKEN"'] },
  logistics: () => ({ before: ["API_KEY='API_KEY'"], headers: ['"authorization: $API_KEY"'] }),
};

/** Quotes a text, so that the shell takes it for one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
