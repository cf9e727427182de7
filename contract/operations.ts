import { Type } from 'typebox';
import type { ContractReference } from './reference.ts';

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
          schema: Type.Object({ status: Type.Literal('ok'), version: Type.String() }),
          examples: { live: { summary: 'Live', value: { status: 'ok', version: '0.1.0' } } },
        },
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
          schema: Type.Object({ status: Type.Literal('ready') }),
          examples: { ready: { summary: 'Ready', value: { status: 'ready' } } },
        },
        {
          status: 503,
          description: 'It should not, and why.',
          schema: Type.Object({ status: Type.Literal('not_ready'), reasons: Type.Array(Type.String()) }),
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
      ],
    },
  ],
};
