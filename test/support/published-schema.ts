import type { TSchema } from 'typebox';
import { makeOpenApiDocument } from '../../reference/openapi.ts';
import type { ContractReference } from '../../reference/reference.ts';

/** A schema as the OpenAPI document publishes it. */
export function publishedSchema(schema: TSchema): Record<string, unknown> {
  const reference: ContractReference = {
    name: 'Test',
    description: '',
    credentials: {},
    schemas: { Published: schema },
    answers: {},
    endpoints: [],
  };
  const { components } = makeOpenApiDocument({
    serverUrl: '',
    version: '',
    contracts: [{ basePath: '', reference }],
  });
  return JSON.parse(JSON.stringify(components.schemas.Published));
}
