import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';

const Credential = Type.String({ pattern: '^[\\s\\S]{1,256}$', description: '1-256 characters' });

/** The body of `POST /api/v1/token/getToken`. */
export const TokenRequest = Type.Object({
  ClientId: WithMeaning(Credential, 'Identifies the application; from the operator.'),
  CheckValue: WithMeaning(Credential, 'Its secret. Never in a frontend, a mobile app, a public repository or a log.'),
});
export type TokenRequest = Static<typeof TokenRequest>;

export const TokenRetval = WithMeaning(
  Type.Object({
    access_token: WithMeaning(
      Type.String({ pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', maxLength: 4096 }),
      'A JWT. Send it as `Authorization: Bearer <access_token>`, and keep it until it expires.',
    ),
    token_type: Type.Literal('Bearer', { description: 'always `Bearer`' }),
    expires_in: WithMeaning(Type.Integer({ minimum: 1, maximum: 86_400 }), 'Seconds until it expires.'),
  }),
  'The token, and how long it is good.',
);
export type TokenRetval = Static<typeof TokenRetval>;
