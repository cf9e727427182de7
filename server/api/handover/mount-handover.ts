import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handoverPath } from '../../../contract/handover.ts';
import { type LinkLanguage, linkLanguages } from '../../domain/onboarding/handover-link.ts';
import { openLink } from '../../domain/onboarding/open-link.ts';
import { anonymousBodyMaxBytes } from '../../http/limits.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type BruteForceLimiter, networkOf } from '../../platform/limits/brute-force-limiter.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { DatabaseUnavailable } from '../../platform/postgres/deadline.ts';
import { askingPage, failedPage, openedPage } from './handover-page.ts';
import { handoverWords } from './handover-words.ts';

interface HandoverParts {
  database: Database;
  keyring: Keyring;
  /** Its names are networks: a guess has no name that somebody could own. */
  limiter: BruteForceLimiter;
}

const browserFiles = new URL('./browser/', import.meta.url);

/** The page on which a partner collects its secrets: GET asks for a click, POST opens the link. */
export function mountHandover(app: FastifyInstance, parts: HandoverParts): void {
  app.get(handoverPath, { exposeHeadRoute: true }, async (request, reply) => {
    hide(request);
    return sendPage(reply, 200, askingPage(languageOf(request, queryOf(request).get('lang'))));
  });
  app.post(handoverPath, { bodyLimit: anonymousBodyMaxBytes }, async (request, reply) => {
    hide(request);
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const language = languageOf(request, form.get('lang'));
    return await open(parts, request, reply, { language, token: (form.get('token') ?? '').trim() });
  });
  for (const [name, type] of [
    ['page.js', 'text/javascript'],
    ['page.css', 'text/css'],
  ] as const) {
    const text = readFileSync(new URL(name, browserFiles));
    app.get(`${handoverPath}/${name}`, async (request, reply) => {
      hide(request);
      return reply.type(`${type}; charset=utf-8`).send(text);
    });
  }
}

async function open(
  { database, keyring, limiter }: HandoverParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, token }: { language: LinkLanguage; token: string },
): Promise<FastifyReply> {
  const say = handoverWords[language];
  const guess = limiter.begin({ name: networkOf(request.ip), address: request.ip }, performance.now());
  if (guess.kind === 'throttled') {
    const seconds = String(guess.retryAfterSeconds);
    reply.header('retry-after', seconds);
    return sendPage(reply, 429, failedPage(language, say.throttled(seconds), true));
  }
  try {
    const outcome = await openLink(database, keyring, { token, address: request.ip });
    // Only a code that nobody has issued is a guess.
    if (outcome.kind !== 'unknown') guess.takeBack();
    if (outcome.kind === 'opened') return sendPage(reply, 200, openedPage(language, outcome));
    const why = outcome.kind === 'ended' ? say.ended[outcome.how](outcome.issuedBy) : say.unknown;
    return sendPage(reply, 404, failedPage(language, why, false));
  } catch (error) {
    guess.takeBack();
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return sendPage(reply, 503, failedPage(language, say.unavailable, true));
  }
}

/** Not a call of an API: it is not in the request log. Its answers have the code and the secrets, which no log may. */
function hide(request: FastifyRequest): void {
  request.record.contract = null;
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start));
}

function languageOf({ headers }: FastifyRequest, wanted: string | null): LinkLanguage {
  const known = linkLanguages.find((language) => language === wanted);
  if (known !== undefined) return known;
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? 'zh-TW' : 'en';
}

/** Nothing but our own script and styles may be loaded, and the form sends to our own host only. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)',
};

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}
