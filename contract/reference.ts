import type { TSchema } from 'typebox';
import type { ContractName } from './errors/catalogued-message.ts';

/** A contract as it is described to those who call it; the OpenAPI document, the reference page and the SDK are made from this. */
export interface ContractReference {
  /** Its heading; also the tag of its endpoints. */
  name: string;
  /** Whose messages its refusals have in the error catalogue. */
  errors?: ContractName;
  /** Markdown. */
  description: string;
  /** What says who is calling; all of them are needed together. */
  credentials: Record<string, CredentialReference>;
  /** Schemas and answers that have a name of their own, wherever they are used. */
  schemas: Record<string, TSchema>;
  answers: Record<string, AnswerReference>;
  endpoints: EndpointReference[];
  /** What we send, and the other side answers. */
  webhooks?: WebhookReference[];
  samples?(url: string, body: unknown): CodeSample[];
}

/** A header of its own, or a bearer token of this format. */
export type CredentialReference = ({ header: string } | { bearer: string }) & { description: string };

export interface EndpointReference {
  method: 'get' | 'post';
  /** Below the base path of its contract. */
  path: string;
  operationId: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** Needs no credentials. */
  open?: true;
  body?: { schema: TSchema; example: unknown };
  /** One per status, in ascending order. */
  answers: AnswerReference[];
}

/** A request that goes the other way: we POST it to an address that the other side has named. */
export interface WebhookReference {
  name: string;
  operationId: string;
  summary: string;
  /** Markdown. */
  description: string;
  headers: Record<string, HeaderReference>;
  body: { schema: TSchema; examples: Record<string, Omit<ExampleReference, 'sent'>> };
  /** What we take an answer for, by its status: `410`, `2XX`, and `default` for all others; Markdown. */
  answers: Record<string, string>;
  /** What a 2XX may say, where we read it. */
  answerBody?: { schema: TSchema; examples: Record<string, Omit<ExampleReference, 'sent'>> };
}

export interface AnswerReference {
  status: number;
  /** Markdown. */
  description: string;
  schema: TSchema;
  /** Where it is not JSON. */
  mediaType?: string;
  /** Beside `trace-id`, which every answer has. */
  headers?: Record<string, HeaderReference>;
  examples: Record<string, ExampleReference>;
}

export interface HeaderReference {
  description: string;
  schema: TSchema;
  /** true: on every answer of this status, or on every request. */
  required: boolean;
}

export interface ExampleReference {
  summary: string;
  value: unknown;
  /** The body that brings this answer about, where it is another one than the example of the endpoint. */
  sent?: unknown;
}

export interface CodeSample {
  language: string;
  label: string;
  source: string;
}
