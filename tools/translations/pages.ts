/** A page for partners and its translation; both paths are relative to the root of the repository. */
export interface TranslatedPage {
  english: string;
  chinese: string;
  /** Translated as a whole from the tables in `reference/zh-TW`. */
  isGenerated?: true;
  /** The heading at which the translation ends; what follows is not for partners. */
  until?: string;
}

/** The guides that have a translation, in the order of `docs/README.md`. */
const translatedGuides = [
  'quickstart',
  'environments',
  'idempotency-and-retries',
  'callbacks',
  'mistakes',
  'clients',
  'signing',
  'main-api',
  'limits',
  'versioning',
  'glossary',
  'vectors',
];

const guide = (name: string): TranslatedPage => ({ english: `docs/${name}.md`, chinese: `docs/zh-TW/${name}.md` });

export const translatedPages: TranslatedPage[] = [
  { ...guide('README'), until: 'For operators' },
  { ...guide('errors'), isGenerated: true },
  ...translatedGuides.map(guide),
  { english: 'README.md', chinese: 'README.zh-TW.md' },
  { english: 'sdk/README.md', chinese: 'sdk/README.zh-TW.md' },
];

/** The part of an English page that has a translation. */
export function translatedPartOf(english: string, { until }: TranslatedPage): string {
  return until === undefined ? english : `${english.split(`\n## ${until}\n`, 1)[0]!.trimEnd()}\n`;
}

const chineseOf = new Map(translatedPages.map(({ english, chinese }) => [english, chinese]));

/** The translation of a page; undefined if it is in English only. */
export function chinesePageOf(english: string): string | undefined {
  return chineseOf.get(english);
}
