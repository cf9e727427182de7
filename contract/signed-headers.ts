import { Type } from 'typebox';
import type { HeaderReference } from './reference.ts';
import { Text } from './values.ts';

/** The headers of what we sign and post, as the Standard Webhooks specification names them. */
export function signedHeaders(idMeaning: string, exampleId: string): Record<string, HeaderReference> {
  return {
    'webhook-id': { description: idMeaning, schema: Type.String({ format: 'uuid', examples: [exampleId] }), required: true },
    'webhook-timestamp': {
      description: 'When this try was signed, in Unix seconds. Refuse what is more than 5 minutes off.',
      schema: Type.String({ pattern: '^\\d{10}$', examples: ['1794706200'] }),
      required: true,
    },
    'webhook-signature': {
      description: '`v1,` and the signature in base64; during a rotation of the secret two of them, with a space between.',
      schema: Text(1000, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
      required: true,
    },
  };
}
