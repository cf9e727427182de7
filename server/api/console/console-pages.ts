import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../http/lazy.ts';

interface ConsolePagesOptions {
  /** The output of `npm run console`. */
  folder: string;
}

const typeOfEnding: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const nonceMarker = 'nonce-of-this-answer';
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const unlogged = { config: { unlogged: true }, exposeHeadRoute: true };

/** Serves the console's HTML page below `/console` and its assets below `/console/assets`. */
export function mountConsolePages(app: FastifyInstance, { folder }: ConsolePagesOptions): void {
  const page = join(folder, 'index.html');
  const answer = existsSync(page)
    ? answerBuilt(readFileSync(page, 'utf8'), listAssets(app, join(folder, 'assets')))
    : answerMissing;
  app.get('/console', unlogged, answer);
  app.get('/console/*', unlogged, answer);
}

function answerBuilt(page: string, assets: Map<string, Asset>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    if (!path.startsWith('/console/assets/'))
      return sendPage(reply, page.replaceAll('./assets/', `${wayToConsole(path)}assets/`));

    const asset = assets.get(path);
    if (asset === undefined) return reply.code(404).type('text/plain').send('not found\n');
    return sendAsset(request, reply, asset);
  };
}

/** The relative path from a page to `/console`, so that it works behind any path prefix of a proxy. */
function wayToConsole(path: string): string {
  const segments = path.split('/').length - 1;
  if (segments === 1) return 'console/';
  return segments === 2 ? './' : '../'.repeat(segments - 2);
}

function sendPage(reply: FastifyReply, page: string) {
  const nonce = randomBytes(18).toString('base64url');
  reply.headers(pageHeaders(nonce));
  return reply.type('text/html; charset=utf-8').send(page.replaceAll(nonceMarker, nonce));
}

/** Nothing but our own scripts may run, nothing but our own host be asked, and no other page may frame, open or watch ours. */
function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=(), clipboard-write=(self)',
  };
}

interface Asset {
  type: string;
  /** Read when first asked for; all answers then share the bytes. */
  forms: { encoding: string; bytes(): Promise<Buffer> }[];
}

/** Only files that exist at start, by address: no request can name any other file. */
function listAssets(app: FastifyInstance, folder: string): Map<string, Asset> {
  const names = new Set(readdirSync(folder));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = typeOfEnding[extname(name)];
    if (type === undefined) continue;
    const compressed = encodings.filter(({ ending }) => names.has(name + ending));
    const forms = [
      ...compressed.map(({ name: encoding, ending }) => ({ encoding, file: name + ending })),
      { encoding: 'identity', file: name },
    ];
    assets.set(`/console/assets/${name}`, {
      type,
      forms: forms.map(({ encoding, file }) => ({ encoding, bytes: once(app, () => readFile(join(folder, file))) })),
    });
  }
  return assets;
}

/** The name of an asset changes with its content, so browsers may cache it forever. */
async function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, forms }: Asset) {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const form = forms.find(({ encoding }) => accepted.has(encoding)) ?? forms.at(-1)!;
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  if (form.encoding !== 'identity') reply.header('content-encoding', form.encoding);
  return reply.type(type).send(await form.bytes());
}

function acceptedEncodings(header = ''): Set<string> {
  const offers = header.split(',').map((offer) =>
    offer
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  return new Set(offers.filter(([, quality]) => quality === undefined || Number(quality) > 0).map(([name]) => name!));
}

async function answerMissing(_request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .send(
      'The console has not been built. Run "npm run console" where Lading is installed, then start Lading again.\n',
    );
}
