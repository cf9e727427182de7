import type { OpenApiDocument } from '../../../reference/openapi.ts';
import type { Schema } from './schema-fields.ts';

/** The parts of a response in the OpenAPI document that the pages show. */
export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: Schema; examples?: Examples }>;
}

/** An operation as the pages show it: an endpoint of ours, or a request that we send. */
export interface DescribedOperation {
  /** The name in the URL of its page. */
  name: string;
  method: string;
  /** The name of the callback if we send it. */
  path: string;
  isSent: boolean;
  operation: PlainOperation;
}

interface PlainOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; required: boolean; description: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown; examples?: Examples }> };
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
  responses: Record<string, ResponseObject>;
}

export type Examples = Record<string, { summary?: string; value: unknown }>;

export function operationsOf({ paths, webhooks }: OpenApiDocument): DescribedOperation[] {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      isSent: false,
    })),
  );
  const sent = Object.entries(webhooks).map(([path, { post }]) => {
    return { path, method: 'POST', operation: post, isSent: true };
  });
  return [...endpoints, ...sent].map(({ operation, ...others }) => ({
    ...others,
    name: operation.operationId,
    operation: operation as unknown as PlainOperation,
  }));
}
