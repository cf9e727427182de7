import { type Command, InvalidArgumentError } from 'commander';
import { configOrFail, exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { parsePublicUrl } from '../server/config.ts';
import { type CredentialOptions, contractOf, credentialsFor } from './call-credentials.ts';
import { cutShort } from './demo-layout.ts';
import { type Exchange, exchange } from './exchange.ts';
import { bodyBytes, bodyHelp, secretFileHelp, wordHeaders } from './sign.ts';
import { printAnswer } from './store-command.ts';

interface ShownRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** `lading call PATH BODY`: a call of any contract, with what it needs to be let in; shows what is sent and what comes back. */
export function callCommand() {
  return makeCommand('call')
    .description('make a call of any API, and show the request and the answer')
    .argument('<path>', 'such as /warehouse/v1/product/sync, /api/v2/default/orders/create, /logistics/orders/order, /health/ready')
    .argument('[body]', `${bodyHelp}; without one it is a GET`)
    .option('--url <url>', 'address of the service (default: PUBLIC_URL)', parseAddress)
    .option('--account <account_no>', 'warehouse API: who signs')
    .option('--secret-file <file>', `warehouse API: ${secretFileHelp}`)
    .option('--client <client_id>', 'main API: who asks for an access token')
    .option('--check-value-file <file>', 'main API: file with the CheckValue of the client')
    .option('--token-file <file>', 'main API: file with an access token, instead of client and CheckValue')
    .option('--key-file <file>', 'logistics webhook: file with the API key')
    .action(async (path: string, given: string | undefined, options: CredentialOptions & { url?: string }, command: Command) => {
      const config = configOrFail();
      const { url: address = config.publicUrl, ...credentialOptions } = options;
      const contract = contractOf(path, config);
      if (given === undefined && !contract.isOpen) {
        throw new Failure(exitCodes.wrongUsage, `${path} is of ${contract.called}, where every call has a body: JSON text, @FILE or -`);
      }
      const url = urlOf(address, path);
      const body = given === undefined ? null : bodyBytes(given);
      const credentials = await credentialsFor(contract, credentialOptions, { path, body: body ?? Buffer.alloc(0), address });

      const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
      const method = body === null ? 'GET' : 'POST';
      const answer = await exchange(method, url, { ...type, ...credentials.headers }, body);
      const shown: ShownRequest = { method, url, headers: { ...type, ...credentials.shown }, body: body && withoutCheckValue(body) };
      printAnswer({ json: jsonOf(shown, answer), words: wordExchange(shown, answer) }, command);
      if (isRefused(answer)) process.exitCode = exitCodes.refused;
    });
}

function parseAddress(given: string): string {
  const address = parsePublicUrl(given);
  if (address === undefined) throw new InvalidArgumentError('It must be such as http://127.0.0.1:8080.');
  return address;
}

function urlOf(address: string, path: string): string {
  if (!path.startsWith('/')) throw new Failure(exitCodes.wrongUsage, `${path} is no path: it begins with /`);
  return `${address}${path}`;
}

/** Of the call for a token the body is the secret. */
function withoutCheckValue(body: Buffer): string {
  return body.toString('utf8').replace(/("CheckValue"\s*:\s*")((?:[^"\\]|\\.)+)/g, (_all, before, value) => before + cutShort(value));
}

/** The main API answers a wrong CheckValue with 200. */
function isRefused({ status, answer }: Exchange): boolean {
  return status >= 300 || (answer as { done?: boolean } | null)?.done === false;
}

function jsonOf(request: ShownRequest, exchanged: Exchange) {
  const { status, traceId, answer, durationMs } = exchanged;
  return { url: request.url, request, status, trace_id: traceId, duration_ms: rounded(durationMs), answer, ...(hintOf(exchanged) ?? {}) };
}

function hintOf(exchanged: Exchange): { why: string } | null {
  return isRefused(exchanged) && exchanged.traceId !== null ? { why: `npx lading doctor ${exchanged.traceId}` } : null;
}

function wordExchange(request: ShownRequest, exchanged: Exchange): string {
  const { status, traceId, answer, durationMs } = exchanged;
  const hint = hintOf(exchanged);
  return [
    `${request.method} ${request.url}`,
    ...(Object.keys(request.headers).length > 0 ? [wordHeaders(request.headers)] : []),
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
