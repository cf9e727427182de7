import type { TSchema } from 'typebox';
import type { ContractName } from './errors/catalogued-message.ts';

/**
 * The documentation of a contract. The OpenAPI document, the reference page and the SDK types are generated from it.
 */
export interface ContractReference {
  /** The heading of the contract and the tag of its endpoints. */
  name: string;
  /** The contract name under which the error catalogue lists its messages. */
  errors?: ContractName;
  /** Markdown. */
  description: string;
  /** The credentials of a request; all of them are required. */
  credentials: Record<string, CredentialReference>;
  /** Schemas and responses that are published under their own names. */
  schemas: Record<string, TSchema>;
  answers: Record<string, ResponseReference>;
  endpoints: EndpointReference[];
  /** Requests that we send to the partner. */
  webhooks?: WebhookReference[];
  samples?(url: string, body: unknown): CodeSample[];
}

/** Either a dedicated header, or a bearer token in this format. */
export type CredentialReference = ({ header: string } | { bearer: string }) & { description: string };

export interface EndpointReference {
  method: 'get' | 'post';
  /** Relative to the base path of the contract. */
  path: string;
  operationId: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** The endpoint needs no credentials. */
  open?: true;
  body?: { schema: TSchema; example: unknown };
  /** One per status, in ascending order. */
  answers: ResponseReference[];
}

/** A request that we POST to a URL configured by the partner. */
export interface WebhookReference {
  name: string;
  operationId: string;
  summary: string;
  /** Markdown. */
  description: string;
  headers: Record<string, HeaderReference>;
  body: { schema: TSchema; examples: Record<string, Omit<ExampleReference, 'sent'>> };
  /** How we interpret each response status: `410`, `2XX`, and `default` for all others; Markdown. */
  answers: Record<string, string>;
  /** The body of a 2XX response, if we read it. */
  answerBody?: { schema: TSchema; examples: Record<string, Omit<ExampleReference, 'sent'>> };
}

export interface ResponseReference {
  status: number;
  /** Markdown. */
  description: string;
  schema: TSchema;
  /** The default is JSON. */
  mediaType?: string;
  /** In addition to `trace-id`, which every response has. */
  headers?: Record<string, HeaderReference>;
  examples: Record<string, ExampleReference>;
}

export interface HeaderReference {
  description: string;
  schema: TSchema;
  /** true if every response with this status (or every request) has the header. */
  required: boolean;
}

export interface ExampleReference {
  summary: string;
  value: unknown;
  /** The request body that produces this response, if it is not the example of the endpoint. */
  sent?: unknown;
  /** The errors of a rejection, if its message does not name their fields; without a message, that of the response. */
  errors?: { path: string; message?: string }[];
}

export interface CodeSample {
  language: string;
  label: string;
  source: string;
}
