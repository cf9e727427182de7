import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../server/config.ts';
import { mostSimilar } from '../server/platform/similar-name.ts';
import { parsePublicUrl } from '../server/setting-values.ts';
import { version } from '../server/version.ts';
import { type CredentialOptions, contractOf, credentialsFor } from './call-credentials.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { readDemoCredentials } from './demo-credentials.ts';
import { cutShort } from './demo-layout.ts';
import { type Exchange, exchange } from './exchange.ts';
import { bodyBytes, bodyHelp, formatHeaders, secretFileHelp } from './sign.ts';
import { printResult } from './store-command.ts';

interface ShownRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * `lading call PATH BODY`: sends a request to any API with the required credentials, and prints the request and the
 * response.
 */
export function callCommand() {
  return makeCommand('call')
    .description('send a request to any API, and show the request and the response')
    .argument(
      '<path>',
      'such as /warehouse/v1/product/sync, /api/v2/default/orders/create, /logistics/orders/order, /health/ready',
    )
    .argument('[body]', `${bodyHelp}; without a body, a GET request is sent`)
    .option('--url <url>', 'URL of the service (default: PUBLIC_URL)', parseAddress)
    .option('--account <account_no>', 'warehouse API: the account that signs the request')
    .option('--secret-file <file>', `warehouse API: ${secretFileHelp}`)
    .option('--client <client_id>', 'main API: the client that requests an access token')
    .option('--check-value-file <file>', 'main API: file with the CheckValue of the client')
    .option('--token-file <file>', 'main API: file with an access token, instead of client and CheckValue')
    .option('--key-file <file>', 'logistics webhook: file with the API key')
    .action(
      async (
        path: string,
        given: string | undefined,
        options: CredentialOptions & { url?: string },
        command: Command,
      ) => {
        const config = configOrFail();
        const { url: address = config.publicUrl, ...credentialOptions } = options;
        if (!path.startsWith('/')) await refuseRelative(path, config);
        const contract = contractOf(path, config);
        if (given === undefined && !contract.isOpen) {
          throw new Failure(
            exitCodes.wrongUsage,
            `${path} belongs to ${contract.called}, where every request needs a body: JSON text, @FILE or -`,
          );
        }
        const url = `${address}${path}`;
        const body = given === undefined ? null : bodyBytes(given);
        const credentials = await credentialsFor(contract, credentialOptions, {
          path,
          body: body ?? Buffer.alloc(0),
          address,
          demo: options.url === undefined ? readDemoCredentials(config) : null,
        });

        const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
        const method = body === null ? 'GET' : 'POST';
        const answer = await exchange(method, url, { ...type, ...credentials.headers }, body);
        const similar = answer.status === 404 ? await similarPath(path, config) : null;
        const shown: ShownRequest = {
          method,
          url,
          headers: { ...type, ...credentials.shown },
          body: body && withoutCheckValue(body),
        };
        printResult({ json: jsonOf(shown, answer), text: formatExchange(shown, answer) }, command);
        if (similar !== null) process.stderr.write(`There is no ${path}. Did you mean ${similar}?\n`);
        if (isRefused(answer)) process.exitCode = exitCodes.refused;
      },
    );
}

function parseAddress(given: string): string {
  const address = parsePublicUrl(given);
  if (address === undefined) throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8080.');
  return address;
}

/** The path of an endpoint that the given one was probably meant to be; null if the given one exists. */
async function similarPath(given: string, config: Config): Promise<string | null> {
  const { makeLadingDocument } = await import('../reference/document.ts');
  const paths = Object.keys(makeLadingDocument({ ...config, serverUrl: config.publicUrl, version }).paths);
  const [path] = given.split('?');
  if (paths.includes(path!)) return null;
  const inside = paths.filter((one) => one.endsWith(`/${path!.replace(/^\//, '')}`));
  return mostSimilar(path!, paths) ?? (inside.length === 1 ? inside[0]! : null);
}

async function refuseRelative(path: string, config: Config): Promise<never> {
  const similar = await similarPath(path, config);
  const hint = similar === null ? '' : `; did you mean ${similar}?`;
  throw new Failure(exitCodes.wrongUsage, `${path} is not a path: a path starts with /${hint}`);
}

/** The body of a token request contains the secret. */
function withoutCheckValue(body: Buffer): string {
  return body
    .toString('utf8')
    .replace(/("CheckValue"\s*:\s*")((?:[^"\\]|\\.)+)/g, (_all, before, value) => before + cutShort(value));
}

/** The main API responds to a wrong CheckValue with status 200. */
function isRefused({ status, answer }: Exchange): boolean {
  return status >= 300 || (answer as { done?: boolean } | null)?.done === false;
}

function jsonOf(request: ShownRequest, exchanged: Exchange) {
  const { status, traceId, answer, durationMs } = exchanged;
  return {
    url: request.url,
    request,
    status,
    trace_id: traceId,
    duration_ms: rounded(durationMs),
    answer,
    ...(hintOf(exchanged) ?? {}),
  };
}

function hintOf(exchanged: Exchange): { why: string } | null {
  return isRefused(exchanged) && exchanged.traceId !== null ? { why: `npx lading doctor ${exchanged.traceId}` } : null;
}

function formatExchange(request: ShownRequest, exchanged: Exchange): string {
  const { status, traceId, answer, durationMs } = exchanged;
  const hint = hintOf(exchanged);
  return [
    `${request.method} ${request.url}`,
    ...(Object.keys(request.headers).length > 0 ? [formatHeaders(request.headers)] : []),
    ...(request.body === null ? [] : ['', request.body]),
    '',
    `HTTP ${status} (${rounded(durationMs)} ms)`,
    ...(traceId === null ? [] : [`trace-id: ${traceId}`]),
    typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2),
    ...(hint ? ['', `Why? ${hint.why}`] : []),
  ].join('\n');
}

function rounded(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}
