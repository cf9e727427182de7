import { connectorReference } from './connector/endpoints.ts';
import { logisticsReference } from './logistics/endpoints.ts';
import { mainReference } from './main/endpoints.ts';
import { makeOpenApiDocument, type OpenApiDocument } from './openapi.ts';
import { operationsReference } from './operations.ts';
import { warehouseReference } from './warehouse/endpoints.ts';

export interface DocumentOptions {
  /** The URL at which partners reach the service. */
  serverUrl: string;
  warehouseBasePath: string;
  logisticsSegment: string;
  version: string;
}

/** All contracts of the service as one OpenAPI document, with the paths at which they are mounted. */
export function makeLadingDocument({
  serverUrl,
  warehouseBasePath,
  logisticsSegment,
  version,
}: DocumentOptions): OpenApiDocument {
  return makeOpenApiDocument({
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
}
