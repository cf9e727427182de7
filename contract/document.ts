import { connectorReference } from './connector/reference.ts';
import { logisticsReference } from './logistics/reference.ts';
import { mainReference } from './main/reference.ts';
import { makeOpenApiDocument, type OpenApiDocument } from './openapi.ts';
import { operationsReference } from './operations.ts';
import { warehouseReference } from './warehouse/reference.ts';

export interface DocumentOptions {
  /** Under which partners reach the service. */
  serverUrl: string;
  warehouseBasePath: string;
  logisticsSegment: string;
  version: string;
}

/** All contracts of the service as one OpenAPI document, at the addresses where they are mounted. */
export function makeLadingDocument({ serverUrl, warehouseBasePath, logisticsSegment, version }: DocumentOptions): OpenApiDocument {
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
