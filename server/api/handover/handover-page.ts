import type { LinkLanguage } from '../../domain/onboarding/handover-link.ts';
import type { OpenOutcome } from '../../domain/onboarding/open-link.ts';
import type { IssuedSecret } from '../../domain/partners/apply-outcome.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { handoverWords } from './handover-words.ts';

// Plain pages with relative addresses: they work without scripts, and below any path that a proxy puts in front.

/** Asks for a click: a chat program that looks at the link must not use it up. The script fills in the code. */
export function askingPage(language: LinkLanguage): string {
  const say = handoverWords[language];
  return frame(
    language,
    say.title,
    `<h1>${say.title}</h1>
      <p>${say.intro}</p>
      <p>${say.once}</p>
      <form method="post" action="handover" autocomplete="off">
        <input type="hidden" name="lang" value="${language}">
        <p id="typed">
          <label for="code">${say.code}</label>
          <input id="code" name="token" required spellcheck="false" autocapitalize="off" aria-describedby="hint">
          <small id="hint">${say.codeHint}</small>
        </p>
        <button type="submit">${say.open}</button>
      </form>`,
  );
}

type Opened = Extract<OpenOutcome, { kind: 'opened' }>;

export function openedPage(language: LinkLanguage, { accountNo, environment, secrets }: Opened): string {
  const say = handoverWords[language];
  const title = escapeHtml(say.opened(accountNo));
  return frame(
    language,
    title,
    `<h1>${title}</h1>
      <p>${say.environment[environment]}</p>
      <p class="warning" role="status">${say.saveNow}</p>
      ${secrets.map((secret, index) => secretBlock(language, secret, index)).join('\n      ')}
      <h2>${say.next}</h2>
      <ul>
        <li><a href="docs/guides/quickstart">${say.quickstart}</a></li>
        <li><a href="docs/guides/signing">${say.signing}</a></li>
        <li><a href="docs">${say.reference}</a></li>
      </ul>`,
  );
}

function secretBlock(language: LinkLanguage, { kind, owner, value }: IssuedSecret, index: number): string {
  const say = handoverWords[language];
  return `<section aria-labelledby="secret-${index}">
        <h2 id="secret-${index}">${say.secret[kind]}</h2>
        <p>${say.use[kind]} ${say.belongsTo} <strong>${escapeHtml(owner)}</strong></p>
        <p class="secret"><code>${escapeHtml(value)}</code>
          <button type="button" class="copy" hidden data-copied="${say.copied}">${say.copy}</button></p>
      </section>`;
}

/** Why the link was not opened. `canRepeat`: the same code may work later. */
export function failedPage(language: LinkLanguage, why: string, canRepeat: boolean): string {
  const say = handoverWords[language];
  const again = canRepeat ? `<p><a href="handover?lang=${language}" class="again">${say.again}</a></p>` : '';
  return frame(
    language,
    say.cannot,
    `<h1>${say.cannot}</h1>
      <p role="alert">${escapeHtml(why)}</p>
      ${again}`,
  );
}

function frame(language: LinkLanguage, title: string, content: string): string {
  const other = language === 'en' ? 'zh-TW' : 'en';
  return `<!doctype html>
<html lang="${language === 'en' ? 'en' : 'zh-Hant-TW'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="handover/page.css">
    <script type="module" src="handover/page.js"></script>
  </head>
  <body>
    <header>
      <a class="language" href="handover?lang=${other}" lang="${other === 'en' ? 'en' : 'zh-Hant-TW'}">${handoverWords[language].other}</a>
    </header>
    <main>
      ${content}
    </main>
  </body>
</html>
`;
}
