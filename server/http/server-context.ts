import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { LoadShedder } from '../platform/limits/load-shedder.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';
import type { SharedCounts } from '../platform/limits/shared-counts.ts';
import type { Throttle } from '../platform/limits/throttle.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import type { CommonHeaders } from './common-headers.ts';
import type { ContractEnvelope } from './envelope.ts';
import type { IgnoredProxies } from './ignored-proxies.ts';
import type { Problem } from './problem.ts';
import type { RequestRecorder } from './request-recorder.ts';

/** The state that the HTTP server shares with all contracts and plugins. */
export interface ServerContext {
  envelopes: ContractEnvelope[];
  commonHeaders: CommonHeaders;
  /** The URL of the documentation, which errors link to. */
  docsUrl: string;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** Counts behind the limits of the node. */
  counts: SharedCounts;
  load: LoadShedder;
  rateLimit: RateLimit;
  /** Delays rejections that cost the sender nothing. */
  rejectionThrottle: Throttle;
  recorder: RequestRecorder;
  /** null: tracing is off. */
  tracer: Tracer | null;
  connections: Connections;
  ignoredProxies: IgnoredProxies;
  isStopping(): boolean;
  problemOfUnknownRoute(request: FastifyRequest): Problem;
}

/** Facts about open connections. A plugin that serves connections itself has to maintain them, as Node cannot. */
export interface Connections {
  /** Connections without a request in progress. A shutdown closes them without waiting. */
  idle: Set<Socket>;
  /** Connections whose next request arrived before the previous response was sent, unnoticed by Node's parser. */
  pipelined: WeakSet<Socket>;
}
