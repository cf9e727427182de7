import { escapeHtml } from '../../platform/escape-html.ts';
import { type DocsLanguage, docsLanguages, pathIn, relativeUrl } from './language.ts';
import { languageNames, type Words, wordsIn } from './words.ts';

export interface Page {
  language: DocsLanguage;
  /** The name of the page, which is the same in every language: `''`, `/guides`, `/guides/signing`. */
  page: string;
  title: string;
  description?: string;
  /** The page is also available as Markdown. */
  markdownPage?: boolean;
  /** HTML at the end of the top bar, after the links. */
  barEnd?: string;
  content: string;
  /** A script module below `/docs`, in addition to the one that every page has. */
  script?: string;
  /** The page does not exist, so it has no other language and no links to itself. */
  missing?: boolean;
}

/** The links in the bar: the name of the page, and its word. */
const barLinks: [page: string, word: keyof Words][] = [
  ['/guides', 'guides'],
  ['/reference', 'reference'],
  ['/errors', 'errors'],
  ['/changelog', 'changelog'],
];

/** The HTML of a page. All URLs are relative, so that the page also works behind a proxy that adds a path prefix. */
export function framePage(given: Page): string {
  const { language, page, title, barEnd = '', content, script } = given;
  const words = wordsIn[language];
  const here = pathIn(language, page);
  const file = (name: string) => relativeUrl(here, `/docs/${name}`);
  const to = (name: string) => relativeUrl(here, pathIn(language, name));
  const links = barLinks.map(([target, word]) => {
    const mark = page === target || page.startsWith(`${target}/`) ? ' aria-current="true"' : '';
    return `<a href="${to(target)}"${mark}>${words[word]}</a>`;
  });
  const scripts = ['pages.js', ...(script ? [script] : [])];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    ${headLinks(given, here).join('\n    ')}
    <link rel="icon" type="image/svg+xml" href="${file('favicon.svg')}">
    <link rel="stylesheet" href="${file('pages.css')}">
    <script src="${file('theme.js')}"></script>
  </head>
  <body>
    <a class="skip" href="#main">${words.skip}</a>
    <header class="bar">
      <a class="brand" href="${to('')}"><img src="${file('favicon.svg')}" alt="" width="22" height="22">Lading</a>
      <nav aria-label="${words.documentation}">
        ${links.join('\n        ')}
      </nav>
      <div class="tools" data-search="${to('/search.json')}" data-words="${escapeHtml(scriptWords(words))}">
        ${barEnd}
        ${given.missing ? '' : languageSwitch(language, page)}
      </div>
    </header>
    ${content}
    <footer>
      <nav aria-label="${words.forMachines}">
        <a href="${to('/tour')}">${words.tour}</a>
        <a href="${to('/try')}">${words.tryIt}</a>
        <a href="${relativeUrl(here, openApiPath(language))}">OpenAPI</a>
        <a href="${file('collections/lading.postman_collection.json')}" download>${words.collection}</a>
        <a href="${to('/llms.txt')}">llms.txt</a>${given.markdownPage ? `\n        <a href="${to(markdownOf(page))}">Markdown</a>` : ''}
      </nav>
    </footer>
    ${scripts.map((name) => `<script type="module" src="${file(name)}"></script>`).join('\n    ')}
  </body>
</html>
`;
}

function headLinks({ language, description, page, markdownPage, missing }: Page, here: string): string[] {
  const alternates = docsLanguages.map(
    (one) => `<link rel="alternate" hreflang="${one}" href="${relativeUrl(here, pathIn(one, page))}">`,
  );
  return [
    ...(description ? [`<meta name="description" content="${escapeHtml(description)}">`] : []),
    ...(missing ? [] : alternates),
    ...(markdownPage
      ? [`<link rel="alternate" type="text/markdown" href="${relativeUrl(here, pathIn(language, markdownOf(page)))}">`]
      : []),
  ];
}

/** The start page has no name of its own to which an extension could be added. */
export function markdownOf(page: string): string {
  return `${page === '' ? '/index' : page}.md`;
}

/** The words that the scripts of the page need. */
function scriptWords(words: Words): string {
  const { copy, copied, search, searchHint, nothingFound, theme, themeSystem, themeLight, themeDark } = words;
  const { kindGuide, kindOperation, kindField, kindError, close, codeLanguage } = words;
  const kinds = { guide: kindGuide, operation: kindOperation, field: kindField, error: kindError };
  const themes = { system: themeSystem, light: themeLight, dark: themeDark };
  return JSON.stringify({ copy, copied, search, searchHint, nothingFound, theme, themes, kinds, close, codeLanguage });
}

export function openApiPath(language: DocsLanguage): string {
  return language === 'en' ? '/openapi.json' : `/openapi.${language}.json`;
}

/** Links to the same page in the other languages. The parameter lets the service remember the choice. */
function languageSwitch(language: DocsLanguage, page: string): string {
  const here = pathIn(language, page);
  return docsLanguages
    .filter((one) => one !== language)
    .map((one) => {
      const target = `${relativeUrl(here, pathIn(one, page))}?language=${one}`;
      return `<a class="language" lang="${one}" hreflang="${one}" rel="nofollow" href="${target}">${languageNames[one]}</a>`;
    })
    .join('');
}

/** The content security policy allows only our own scripts and only requests to our own host. */
export function pageHeaders(styles: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
