import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../http/lazy.ts';
import {
  type DocsLanguage,
  docsLanguages,
  knownLanguage,
  pathIn,
  preferredLanguage,
  rememberLanguage,
} from './language.ts';
import { pack, sendPacked } from './serve-document.ts';

export interface ServedPage {
  /** The name of the page, which is the same in every language: `/try`. */
  page: string;
  headers: Record<string, string>;
  make(language: DocsLanguage): string | Promise<string>;
}

interface Redirect {
  to: string;
  cookie?: string;
  vary?: string;
}

/** Serves a page that is not a text, in every language. */
export function servePage(app: FastifyInstance, { page, headers, make }: ServedPage): void {
  for (const language of docsLanguages) {
    const packed = once(app, async () => await pack(await make(language)));
    app.get(pathIn(language, page), { exposeHeadRoute: true }, async (request, reply) => {
      const elsewhere = redirectOf(request, page, language);
      if (elsewhere) return redirect(reply, elsewhere);
      return sendPacked(request, reply, await packed(), { type: 'text/html; charset=utf-8', headers });
    });
  }
}

/** The service names these URLs without a language: the start page, and the pages of errors in `doc_url`. */
export function choosesLanguage(path: string): boolean {
  return path === '/docs' || path.startsWith('/docs/errors/');
}

/**
 * The switch of the pages adds the parameter `language`: it is remembered, and the page is loaded again without it.
 * A URL without a language leads a reader to the remembered one, or else to the one of the browser.
 */
export function redirectOf({ query, headers }: FastifyRequest, page: string, language: DocsLanguage): Redirect | null {
  const path = pathIn(language, page);
  const chosen = knownLanguage((query as Record<string, unknown>).language);
  if (chosen !== undefined) return { to: path.slice(path.lastIndexOf('/') + 1), cookie: rememberLanguage(chosen) };
  if (!choosesLanguage(path)) return null;
  const preferred = preferredLanguage(headers);
  if (preferred === language) return null;
  const up = path === '/docs' ? 'docs' : '..';
  return { to: `${up}/${preferred}${page}`, vary: 'accept-language, cookie' };
}

export function redirect(reply: FastifyReply, { to, cookie, vary }: Redirect): FastifyReply {
  if (cookie) reply.header('set-cookie', cookie);
  if (vary) reply.header('vary', vary);
  return reply.redirect(to, 302);
}
