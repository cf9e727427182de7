import { escapeHtml } from '../../platform/escape-html.ts';
import { type DocsLanguage, pathIn, relativeUrl } from './language.ts';
import { framePage, openApiPath } from './page-frame.ts';
import { type TryWords, tryWords } from './try-words.ts';
import { wordsIn } from './words.ts';

/** The form keeps the credentials in the memory of the page and nowhere else. */
const credentialsForm = (words: TryWords) => `
    <dialog id="credentials" aria-labelledby="credentials-title">
      <form method="dialog" autocomplete="off">
        <h2 id="credentials-title">${words.formTitle}</h2>
        <p class="note">${words.memory}</p>
        <p class="warning" id="refused" hidden>${words.refused}</p>
        <fieldset data-contract="warehouse">
          <legend>${words.warehouse}</legend>
          <label>account-no <input name="account-no" autocomplete="off" spellcheck="false"></label>
          <label>${words.secret} <input name="shared-secret" type="password" autocomplete="off"></label>
          <p class="note">${words.neverSent}</p>
          <p class="warning" id="cannot-sign" hidden>${words.cannotSign}</p>
        </fieldset>
        <fieldset data-contract="main">
          <legend>${words.main}</legend>
          <label>${words.token} <input name="access-token" type="password" autocomplete="off"></label>
          <p class="note">${words.tokenHint}</p>
        </fieldset>
        <fieldset data-contract="logistics">
          <legend>${words.logistics}</legend>
          <label>${words.apiKey} <input name="api-key" type="password" autocomplete="off"></label>
        </fieldset>
        <menu>
          <button value="cancel" type="button" id="credentials-cancel">${words.cancel}</button>
          <button value="use" id="credentials-use">${words.use}</button>
        </menu>
      </form>
    </dialog>`;

/** A popover, so that it is displayed above the viewer's dialog. */
const signedPanel = (words: TryWords) => `
    <section id="signed" popover="manual" aria-labelledby="signed-title">
      <h2 id="signed-title">${words.signedTitle}</h2>
      <output></output>
      <p class="note">${words.signedHint}</p>
      <button type="button" id="signed-close">${words.close}</button>
    </section>`;

/** The page where readers send requests to the service. Its viewer is large, so the texts have pages of their own. */
export function tryPage(language: DocsLanguage): string {
  const words = wordsIn[language];
  const own = tryWords[language];
  const { introduction, bytes, nothingSent, viewer } = own;
  const scriptWords = escapeHtml(JSON.stringify({ introduction, bytes, nothingSent, viewer }));
  const page = '/try';
  const here = pathIn(language, page);
  const document = relativeUrl(here, openApiPath(language));
  const reference = relativeUrl(here, pathIn(language, '/reference'));
  const guides = relativeUrl(here, pathIn(language, '/guides'));
  const attributes = `data-document="${document}" data-guides="${guides}" data-words="${scriptWords}"`;
  return framePage({
    language,
    page,
    title: `${words.tryIt} · Lading`,
    barEnd: `<button type="button" id="credentials-open">${words.credentials}</button>`,
    content: `<section id="main"><noscript>${words.needsScript} <a href="${reference}">${words.reference}</a></noscript>
    <div id="reference" ${attributes}></div></section>${credentialsForm(own)}${signedPanel(own)}
    <script src="${relativeUrl(here, '/docs/viewer.js')}"></script>`,
    script: 'try.js',
  });
}
