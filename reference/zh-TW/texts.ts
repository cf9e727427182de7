import { explanationTexts } from '../../messages/errors.ts';
import type { Translations } from '../language/translator.ts';
import { endpointsTexts } from './endpoints.ts';
import { errorGuideTexts } from './error-guide.ts';
import { fieldsListsTexts } from './fields-lists.ts';
import { fieldsMainTexts } from './fields-main.ts';
import { fieldsOtherTexts } from './fields-other.ts';
import { generatedGuidesTexts } from './generated-guides.ts';
import { mainEndpointsTexts } from './main-endpoints.ts';
import { overviewConnectorTexts } from './overview-connector.ts';
import { overviewLogisticsTexts } from './overview-logistics.ts';
import { overviewMainTexts } from './overview-main.ts';
import { overviewWarehouseTexts } from './overview-warehouse.ts';

/** Causes and fixes of errors are in `messages/`, in both languages. */
const explanations: Translations = Object.fromEntries(Object.values(explanationTexts));

/** The Traditional Chinese texts of the reference and of the generated parts of the guides. */
export const referenceTexts: Translations = {
  ...overviewMainTexts,
  ...overviewWarehouseTexts,
  ...overviewConnectorTexts,
  ...overviewLogisticsTexts,
  ...mainEndpointsTexts,
  ...endpointsTexts,
  ...errorGuideTexts,
  ...generatedGuidesTexts,
  ...fieldsMainTexts,
  ...fieldsListsTexts,
  ...fieldsOtherTexts,
};

export const chineseTexts: Translations = { ...explanations, ...referenceTexts };
