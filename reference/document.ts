import { connectorReference } from './connector/endpoints.ts';
import { translateDocument } from './language/translate-document.ts';
import { makeTranslator } from './language/translator.ts';
import { logisticsReference } from './logistics/endpoints.ts';
import { mainReference } from './main/endpoints.ts';
import { makeOpenApiDocument, type OpenApiDocument } from './openapi.ts';
import { operationsReference } from './operations.ts';
import { warehouseReference } from './warehouse/endpoints.ts';
import { chineseTexts } from './zh-TW/texts.ts';

export interface DocumentOptions {
  /** The URL at which partners reach the service. */
  serverUrl: string;
  warehouseBasePath: string;
  logisticsSegment: string;
  version: string;
  /** The language of the texts for people; the default is English. */
  language?: 'en' | 'zh-TW';
}

/** All contracts of the service as one OpenAPI document, with the paths at which they are mounted. */
export function makeLadingDocument({
  serverUrl,
  warehouseBasePath,
  logisticsSegment,
  version,
  language = 'en',
}: DocumentOptions): OpenApiDocument {
  const document = makeOpenApiDocument({
    serverUrl,
    version,
    contracts: [
      { basePath: '', reference: mainReference },
      { basePath: warehouseBasePath, reference: warehouseReference },
      { basePath: '', reference: connectorReference },
      { basePath: `/${logisticsSegment}`, reference: logisticsReference },
      { basePath: '', reference: operationsReference },
    ],
  });
  return language === 'en' ? document : translateDocument(document, makeTranslator(chineseTexts));
}
