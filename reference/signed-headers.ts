import { Type } from 'typebox';
import { Text } from '../contract/values.ts';
import type { HeaderReference } from './reference.ts';

/** The headers of our signed requests, named as in the Standard Webhooks specification. */
export function signedHeaders(idMeaning: string, exampleId: string): Record<string, HeaderReference> {
  return {
    'webhook-id': {
      description: idMeaning,
      schema: Type.String({ format: 'uuid', examples: [exampleId] }),
      required: true,
    },
    'webhook-timestamp': {
      description: 'Time of the signature in Unix seconds. Reject a timestamp that is more than 5 minutes off.',
      schema: Type.String({ pattern: '^[0-9]{10}$', examples: ['1794706200'] }),
      required: true,
    },
    'webhook-signature': {
      description:
        '`v1,` and the signature in base64. While the secret is being rotated, there are two signatures separated by a space.',
      schema: Text(1000, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
      required: true,
    },
  };
}
