/** The HTML of a page. All URLs are relative, so that the page also works behind a proxy that adds a path prefix. */
export interface Page {
  title: string;
  /** The relative URL of `/docs`, seen from the page: `docs/`, `./` or `../`. */
  toReference: string;
  toDocs: string;
  /** HTML at the end of the top bar, after the links. */
  barEnd?: string;
  content: string;
  /** A script module below `/docs`. */
  script: string;
}

export function framePage({ title, toReference, toDocs, barEnd = '', content, script }: Page): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${toDocs}pages.css">
  </head>
  <body>
    <header class="bar">
      <strong>Lading</strong>
      <nav aria-label="Documentation">
        <a href="${toReference}">Reference</a>
        <a href="${toDocs}guides">Guides</a>
        <a href="${toDocs}collections/lading.postman_collection.json" download>Collection</a>
        <a href="${toReference.slice(0, -'docs'.length)}openapi.json">OpenAPI</a>
      </nav>
      ${barEnd}
    </header>
    ${content}
    <script type="module" src="${toDocs}${script}"></script>
  </body>
</html>
`;
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

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
