import { makeLadingDocument } from '../../contract/document.ts';
import { makePostmanCollection } from '../../contract/postman.ts';

/** The collection as the service hands it out under its default addresses. */
export function drawCollection(): string {
  const document = makeLadingDocument({
    serverUrl: 'http://127.0.0.1:8080',
    warehouseBasePath: '/warehouse/v1',
    logisticsSegment: 'logistics',
    version: 'any',
  });
  return `${JSON.stringify(makePostmanCollection(document), null, 2)}\n`;
}
