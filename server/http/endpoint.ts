import type { Static, TSchema } from 'typebox';
import type { Message } from '../../messages/message.ts';
import type { Mistake } from '../platform/json/schema.ts';
import type { ContractEnvelope } from './envelope.ts';
import type { Incoming } from './incoming.ts';

export interface AnyCaller {
  /** null: the account is unknown until the body is read. */
  accountNo: string | null;
  /** That of the account; absent if it is unknown until the body is read, and in the console. */
  environment?: Environment;
}

export type Environment = 'uat' | 'production';

/** One of the APIs that partners use. */
export interface Contract<Caller extends AnyCaller> extends ContractEnvelope {
  /** Endpoints use the caller's address. Behind a proxy only Fastify can derive it from the headers. */
  needsAddress?: true;
  /**
   * Callers are unknown until their body is read, so bodies are small and only an endpoint can authenticate a request.
   */
  isAnonymous?: true;
  /** Identifies the caller; throws a ProblemError if that fails. */
  authenticate(request: Incoming, body: Buffer): Promise<Caller>;
}

export interface EndpointResponse {
  body: unknown;
  status?: number;
  code?: string;
  headers?: Record<string, string>;
  cookies?: string[];
  /** Why the request was rejected, for the request log. */
  reason?: Message;
  /** Every rejection has them; the body gets them as its list of errors. */
  mistakes?: Mistake[];
  /** That of the account, if the caller was unknown until the body was read. */
  environment?: Environment;
}

export interface Endpoint<Caller, Schema extends TSchema = TSchema> {
  path: string;
  body: Schema;
  /** Throws a ProblemError if this caller may not use the endpoint. */
  admit?(caller: Caller): void;
  /** The partner's number of the document that the request is about, for the request log. */
  documentNo?(body: Static<Schema>): string;
  handle(caller: Caller, body: Static<Schema>, request: Incoming): Promise<EndpointResponse>;
}

/** Infers the type of an endpoint's body from its schema. */
export function endpoint<Caller, Schema extends TSchema>(definition: Endpoint<Caller, Schema>): Endpoint<Caller> {
  return definition as unknown as Endpoint<Caller>;
}

/**
 * Serves a request from authentication to response, independent of the parser that read it. Throws if anything goes
 * wrong.
 */
export type ServeRequest = (request: Incoming, raw: Buffer) => Promise<EndpointResponse>;

/** An endpoint that takes requests as they are, also those that its contract rejects. It authenticates them itself. */
export interface RawEndpoint {
  path: string;
  serve: ServeRequest;
}

export interface MountedEndpoint {
  serve: ServeRequest;
  contract: ContractEnvelope & Pick<Contract<AnyCaller>, 'needsAddress' | 'isAnonymous'>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Tells plugins which endpoint of a contract the route serves. */
    endpoint?: MountedEndpoint;
  }
}
