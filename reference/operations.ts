import { Type } from 'typebox';
import { Message, Text, WithMeaning } from '../contract/values.ts';
import { brokenRequests, mainRejections, readAnswers, readRejections } from './main/shared-rejections.ts';
import type { ContractReference, ResponseReference } from './reference.ts';

const { MainInternalError } = mainRejections;
const watchedAnswers: ResponseReference[] = [
  readRejections.ReadWrongMethod,
  ...Object.values(brokenRequests),
  MainInternalError,
];

const Warnings = Type.Optional(
  WithMeaning(Type.Array(Message), 'What an operator should look at, as text for people. Absent if there is nothing.'),
);

/** The answer of the OpenAPI document, which is the same in every language. */
const openApiAnswer: ResponseReference = {
  status: 200,
  description: 'An OpenAPI 3.1 document with the URLs of this service.',
  schema: Type.Object(
    {
      openapi: WithMeaning(Type.String({ pattern: '^3\\.1\\.' }), 'The version of OpenAPI.'),
      info: WithMeaning(Type.Object({}, { additionalProperties: true }), 'Title and version of the API.'),
      paths: WithMeaning(Type.Object({}, { additionalProperties: true }), 'Every endpoint.'),
    },
    { additionalProperties: true },
  ),
  examples: {
    beginning: {
      summary: 'The beginning of the document',
      value: { openapi: '3.1.1', info: { title: 'Lading', version: '0.1.0' }, paths: {} },
    },
  },
};

/** Endpoints for monitoring. */
export const operationsReference: ContractReference = {
  name: 'Operations',
  description:
    'For monitoring systems. These endpoints need no credentials, except `/metrics` if the operator has set a token for it. Their requests are neither rate-limited nor logged.',
  credentials: {},
  schemas: {},
  answers: {},
  endpoints: [
    {
      method: 'get',
      path: '/health/live',
      operationId: 'live',
      summary: 'Liveness probe',
      description: 'Succeeds if the process responds. It does not check the database or anything else.',
      answers: [
        {
          status: 200,
          description: 'The process is alive.',
          schema: Type.Object({
            status: WithMeaning(Type.Literal('ok'), 'Always `ok`.'),
            version: WithMeaning(Text(255), 'The version of the service.'),
          }),
          examples: { live: { summary: 'Live', value: { status: 'ok', version: '0.1.0' } } },
        },
        ...watchedAnswers,
      ],
    },
    {
      method: 'get',
      path: '/health/ready',
      operationId: 'ready',
      summary: 'Readiness probe',
      description:
        'Fails while the service is stopping, or while its database cannot be used: it is unavailable, commits are not confirmed, its disk is full, or migrations are missing.',
      answers: [
        {
          status: 200,
          description: 'The service accepts requests.',
          schema: Type.Object({
            status: WithMeaning(Type.Literal('ready'), 'Always `ready`.'),
            warnings: Warnings,
          }),
          examples: {
            ready: { summary: 'Ready', value: { status: 'ready' } },
            warned: {
              summary: 'Ready, with a warning',
              value: { status: 'ready', warnings: ['disk: less than 1 GiB is free for DATA_DIR'] },
            },
          },
        },
        ...watchedAnswers,
        {
          status: 503,
          description: 'The service does not accept requests.',
          schema: Type.Object({
            status: WithMeaning(Type.Literal('not_ready'), 'Always `not_ready`.'),
            reasons: WithMeaning(Type.Array(Message), 'The reasons, as text for people.'),
            warnings: Warnings,
          }),
          examples: {
            stopping: { summary: 'Stopping', value: { status: 'not_ready', reasons: ['the service is stopping'] } },
          },
        },
      ],
    },
    {
      method: 'get',
      path: '/metrics',
      operationId: 'metrics',
      summary: 'Metrics',
      description: 'All metrics in the Prometheus text format. The operator may serve them on another port instead.',
      answers: [
        {
          status: 200,
          description: 'All time series.',
          mediaType: 'text/plain',
          schema: Type.String(),
          examples: { gauge: { summary: 'One gauge', value: 'lading_http_requests_in_flight 0\n' } },
        },
        {
          status: 401,
          description: 'The operator has set a token for the metrics, and the request does not have it.',
          headers: {
            'www-authenticate': {
              description: 'Requests the token.',
              schema: Text(255, 'Bearer realm="metrics"'),
              required: true,
            },
          },
          mediaType: 'text/plain',
          schema: Type.String(),
          examples: { no_token: { summary: 'No token', value: 'the token of METRICS_TOKEN is required\n' } },
        },
        ...watchedAnswers,
      ],
    },
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'openApiDocument',
      summary: 'This document',
      description: 'The API reference at `/docs` in machine-readable form.',
      answers: [openApiAnswer, ...readAnswers],
    },
    {
      method: 'get',
      path: '/openapi.zh-TW.json',
      operationId: 'openApiDocumentInChinese',
      summary: 'This document in Traditional Chinese',
      description: 'The same document as `/openapi.json`, with descriptions in Traditional Chinese.',
      answers: [openApiAnswer, ...readAnswers],
    },
  ],
};
