import type { Command } from 'commander';
import { configOrFail, exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { bodyBytes, type SigningOptions, secretOf, signedHeaders, withSigningOptions } from './sign.ts';
import { printAnswer } from './store-command.ts';

const answerWithinSeconds = 30;

/** `lading call PATH BODY`: signs, sends, and shows what came back. */
export function callCommand() {
  return withSigningOptions(makeCommand('call').description('sign and send a warehouse request, and show the answer'))
    .argument('<path>', 'such as /warehouse/v1/product/sync')
    .argument('<body>', 'the body: JSON text, @FILE, or - for standard input')
    .option('--url <url>', 'address of the service (default: PUBLIC_URL)')
    .action(async (path: string, body: string, options: SigningOptions & { url?: string }, command: Command) => {
      const bytes = bodyBytes(body);
      const headers = signedHeaders(options.account, await secretOf(options), bytes);
      const url = `${options.url ?? configOrFail().publicUrl}${path}`;
      const answer = await send(url, headers, bytes);
      const text = await answer.text();
      const words = [
        `POST ${url}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        '',
        `HTTP ${answer.status}`,
        pretty(text),
      ];
      printAnswer(
        { json: { url, status: answer.status, trace_id: answer.headers.get('trace-id'), answer: parsed(text) }, words: words.join('\n') },
        command,
      );
      if (!answer.ok) process.exitCode = exitCodes.refused;
    });
}

async function send(url: string, headers: Record<string, string>, body: Buffer): Promise<Response> {
  if (!URL.canParse(url)) throw new Failure(exitCodes.wrongUsage, `${url} is not a URL; a path begins with /`);
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinSeconds * 1000),
    });
  } catch (error) {
    const { code, name } = ((error as Error).cause ?? error) as { code?: string; name: string };
    throw new Failure(exitCodes.cannotRun, `no answer from ${new URL(url).origin} (${code ?? name}); is the service running there?`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pretty(text: string): string {
  const value = parsed(text);
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
