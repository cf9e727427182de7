import { Type } from 'typebox';
import { brokenRequests, mainRefusals, readAnswers, readRefusals } from './main/shared-refusals.ts';
import type { AnswerReference, ContractReference } from './reference.ts';
import { Message, Text, WithMeaning } from './values.ts';

const { MainInternalError } = mainRefusals;
const watchedAnswers: AnswerReference[] = [readRefusals.ReadWrongMethod, ...Object.values(brokenRequests), MainInternalError];

/** For the machines that watch over the service. */
export const operationsReference: ContractReference = {
  name: 'Operations',
  description: 'For the machines that watch over the service: open to whoever can reach it, neither limited nor logged.',
  credentials: {},
  schemas: {},
  answers: {},
  endpoints: [
    {
      method: 'get',
      path: '/health/live',
      operationId: 'live',
      summary: 'Does the process answer?',
      description: 'Asks nothing else of the service, not even its database.',
      answers: [
        {
          status: 200,
          description: 'It does.',
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
      summary: 'Should it be sent requests?',
      description: 'It should not while it is stopping, or its database is out of reach.',
      answers: [
        {
          status: 200,
          description: 'It should.',
          schema: Type.Object({ status: WithMeaning(Type.Literal('ready'), 'Always `ready`.') }),
          examples: { ready: { summary: 'Ready', value: { status: 'ready' } } },
        },
        ...watchedAnswers,
        {
          status: 503,
          description: 'It should not, and why.',
          schema: Type.Object({
            status: WithMeaning(Type.Literal('not_ready'), 'Always `not_ready`.'),
            reasons: WithMeaning(Type.Array(Message), 'Why not, for people.'),
          }),
          examples: { stopping: { summary: 'Stopping', value: { status: 'not_ready', reasons: ['the service is stopping'] } } },
        },
      ],
    },
    {
      method: 'get',
      path: '/metrics',
      operationId: 'metrics',
      summary: 'Measures',
      description: 'In the text format of Prometheus.',
      answers: [
        {
          status: 200,
          description: 'All series.',
          mediaType: 'text/plain',
          schema: Type.String(),
          examples: { gauge: { summary: 'One of them', value: 'lading_http_requests_in_flight 0\n' } },
        },
        ...watchedAnswers,
      ],
    },
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'openApiDocument',
      summary: 'This document',
      description: 'What the reference at `/docs` shows, for machines.',
      answers: [
        {
          status: 200,
          description: 'OpenAPI 3.1, with the addresses at which this service is reached.',
          schema: Type.Object(
            {
              openapi: WithMeaning(Type.String({ pattern: '^3\\.1\\.' }), 'The version of OpenAPI.'),
              info: WithMeaning(Type.Object({}, { additionalProperties: true }), 'What it describes, and in which version.'),
              paths: WithMeaning(Type.Object({}, { additionalProperties: true }), 'Every endpoint.'),
            },
            { additionalProperties: true },
          ),
          examples: {
            beginning: { summary: 'How it begins', value: { openapi: '3.1.1', info: { title: 'Lading', version: '0.1.0' }, paths: {} } },
          },
        },
        ...readAnswers,
      ],
    },
  ],
};
