import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../../http/problem.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { type DocsLanguage, docsLanguages, pathIn } from './language.ts';
import { framePage, markdownOf, pageHeaders } from './page-frame.ts';
import { type Packed, pack, sendPacked } from './serve-document.ts';
import { choosesLanguage, redirect, redirectOf } from './serve-page.ts';
import type { Site } from './site.ts';
import { wordsIn } from './words.ts';

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const headers = pageHeaders("'self'");

export type Sites = Record<DocsLanguage, () => Promise<Site>>;

/** Serves pages in every language, as HTML and as Markdown. `route` is a page, or a pattern such as `/reference/:name`. */
export function servePages(app: FastifyInstance, route: string, sites: Sites): void {
  for (const language of docsLanguages) {
    const packed = new Map<string, Promise<Packed>>();
    const render = (site: Site, page: string, type: string) => {
      const key = `${type} ${page}`;
      const made = packed.get(key) ?? pack((type === html ? site.html(page) : site.markdown(page))!);
      packed.set(key, made);
      return made;
    };
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const { name } = request.params as { name?: string };
      const given = name === undefined ? route : route.replace(':name', name);
      const asked = given.endsWith('.md') ? given.slice(0, -3) : given;
      const site = await sites[language]();
      // Before a redirect, whose URL contains the name: it must not lead to another host.
      if (!site.pages.has(asked)) return sendMissing(request, reply, language);
      const elsewhere = asked === given ? redirectOf(request, given, language) : null;
      if (elsewhere) return redirect(reply, elsewhere);
      const type = asked !== given || prefersMarkdown(request) ? markdown : html;
      const vary = choosesLanguage(pathIn(language, given)) ? 'accept, accept-language, cookie' : 'accept';
      return sendPacked(request, reply, await render(site, asked, type), { type, headers: { ...headers, vary } });
    };
    app.get(pathIn(language, route), { exposeHeadRoute: true }, answer);
    if (!route.includes(':')) {
      app.get(pathIn(language, markdownOf(route)), { exposeHeadRoute: true }, async (request, reply) => {
        const site = await sites[language]();
        return sendPacked(request, reply, await render(site, route, markdown), { type: markdown, headers: {} });
      });
    }
  }
}

/** Answers for all other paths below `/docs`: people get a page, programs the usual error. */
export function serveMissingPages(app: FastifyInstance): void {
  for (const language of docsLanguages) {
    app.get(pathIn(language, '/*'), { exposeHeadRoute: true }, async (request, reply) =>
      sendMissing(request, reply, language),
    );
  }
}

/** Programs that ask for Markdown first, or for nothing else that we have. */
function prefersMarkdown({ headers: { accept = '' } }: FastifyRequest): boolean {
  const at = (type: string) => accept.indexOf(type);
  return at('text/markdown') >= 0 && (at('text/html') < 0 || at('text/markdown') < at('text/html'));
}

function sendMissing(request: FastifyRequest, reply: FastifyReply, language: DocsLanguage): FastifyReply {
  if (!(request.headers.accept ?? '').includes('text/html')) throw new ProblemError({ kind: 'unknown_path' });
  const words = wordsIn[language];
  const path = request.url.split('?', 1)[0]!;
  const page = path.slice(pathIn(language, '').length);
  const to = (target: string, text: string) =>
    `<li><a href="${'../'.repeat(page.split('/').length - 2)}${target}">${text}</a></li>`;
  const content = `<main id="main" class="missing"><h1>${words.notFoundTitle}</h1>
      <p><code>${escapeHtml(path)}</code></p>
      <p>${words.notFound}</p>
      <ul>${to('guides', words.guides)}${to('reference', words.reference)}${to('errors', words.errors)}</ul></main>`;
  const title = `${words.notFoundTitle} · Lading`;
  return reply
    .code(404)
    .type(html)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(framePage({ language, page, title, content, missing: true }));
}
