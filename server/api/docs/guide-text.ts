import type { DocumentOptions } from '../../../reference/document.ts';
import type { DocsLanguage } from './language.ts';

export interface GuideText {
  title: string;
  markdown: string;
  /** The language in which the text is written. */
  language: DocsLanguage;
}

/** The URL of the service in the guides of the repository. */
const addressInGuides = 'http://127.0.0.1:8080';

export type Addresses = Pick<DocumentOptions, 'serverUrl' | 'warehouseBasePath' | 'logisticsSegment'>;

/** Replaces the URLs in the Markdown with those of this service, so that copied commands work. */
export function addressGuide(markdown: string, { serverUrl, warehouseBasePath, logisticsSegment }: Addresses): string {
  return markdown
    .replaceAll(addressInGuides, () => serverUrl)
    .replaceAll('/warehouse/v1', () => warehouseBasePath)
    .replaceAll(/\/logistics(?=\/(orders|purchases|callbacks)\b)/g, () => `/${logisticsSegment}`);
}

/** The text of the first heading. */
export function titleOf(markdown: string): string | undefined {
  return /^# +(.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '').trim();
}
