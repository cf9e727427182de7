import { type Static, Type } from 'typebox';
import { errorMessage } from '../../messages/errors.ts';
import { warnings } from '../errors/lists.ts';
import { anyTextPattern } from '../portable-patterns.ts';
import { Form, WithMeaning } from '../values.ts';

const Credential = Type.String({
  pattern: '^[\\s\\S]{1,256}$',
  ...Form(errorMessage('not_credential', { limit: 256 })),
  documented: { minLength: 1, maxLength: 256, pattern: anyTextPattern },
});

/** The body of `POST /api/v1/token/getToken`. */
export const TokenRequest = Type.Object({
  ClientId: WithMeaning(Credential, 'Client ID of the application, from the operator.'),
  CheckValue: WithMeaning(
    Credential,
    'Secret of the application. Never put it in a frontend, a mobile app, a public repository or a log.',
  ),
});
export type TokenRequest = Static<typeof TokenRequest>;

export const TokenRetval = WithMeaning(
  Type.Object({
    access_token: WithMeaning(
      Type.String({ pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$', maxLength: 4096 }),
      'A JWT. Send it as `Authorization: Bearer <access_token>`, and reuse it until it expires.',
    ),
    token_type: Type.Literal('Bearer', { description: 'always `Bearer`' }),
    expires_in: WithMeaning(Type.Integer({ minimum: 1, maximum: 86_400 }), 'Lifetime of the token in seconds.'),
    ...warnings,
  }),
  'The token and its lifetime.',
);
export type TokenRetval = Static<typeof TokenRetval>;
