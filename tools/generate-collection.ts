import { makeLadingDocument } from '../reference/document.ts';
import { makePostmanCollection } from '../reference/postman.ts';

/** Generates the Postman collection, with the default URLs of the service. */
export function generateCollection(): string {
  const document = makeLadingDocument({
    serverUrl: 'http://127.0.0.1:8080',
    warehouseBasePath: '/warehouse/v1',
    logisticsSegment: 'logistics',
    version: 'any',
  });
  return `${JSON.stringify(makePostmanCollection(document), null, 2)}\n`;
}
