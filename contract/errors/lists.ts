import { type Static, Type } from 'typebox';
import { FieldPath, Message, Text, WithMeaning } from '../values.ts';
import { errorCodes, type PublicErrorCode } from './codes.ts';

const code = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z_]*$', maxLength: 40, description, examples: [example] });

/** One error of a rejected request. */
export const ErrorItem = Type.Object(
  {
    code: WithMeaning(
      code('new codes may be added', 'field_invalid'),
      `The kind of mistake, for programs: ${Object.keys(errorCodes)
        .map((one) => `\`${one}\``)
        .join(', ')}.`,
    ),
    path: WithMeaning(
      FieldPath('details[0].qty'),
      'Path of the field in the body, such as `details[0].qty`; empty if the error is not about a field.',
    ),
    message: WithMeaning(Message, 'The error, as text for people.'),
    doc_url: WithMeaning(
      Type.String({ maxLength: 2048, examples: ['/docs/errors/field_invalid'] }),
      'Page about this code; relative to the URL of the service if the operator has not set one.',
    ),
  },
  { description: 'one error' },
);
export type ErrorItem = Omit<Static<typeof ErrorItem>, 'code'> & { code: PublicErrorCode };

/** The list in every rejection. */
export const Errors = Type.Array(ErrorItem, {
  minItems: 1,
  description: 'all errors found, not only the first (at most about 1,000)',
});

export const warningCodes = {
  unknown_field: 'The request has a field that the endpoint does not know and ignores. Only UAT accounts get this.',
  payload_differs: 'The number was already used with a different body. The original remains unchanged.',
} as const;

/** A remark about a successful request. */
export const Warning = Type.Object(
  {
    code: WithMeaning(
      code('new codes may be added', 'unknown_field'),
      'The kind of warning, for programs: `unknown_field`, `payload_differs`.',
    ),
    path: WithMeaning(
      FieldPath('details[0].skuid'),
      'Path of the field in the body; empty if the warning is about the whole body.',
    ),
    message: WithMeaning(Text(1000, 'is not a field of this request; did you mean sku_id?'), 'Text for people.'),
  },
  { description: 'one warning' },
);
export type Warning = Omit<Static<typeof Warning>, 'code'> & { code: keyof typeof warningCodes };

/** The list in a successful response, if there is anything to look at. */
export const warnings = {
  warnings: WithMeaning(
    Type.Optional(Type.Array(Warning, { description: 'at most 100' })),
    'Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body.',
  ),
};

export const examplePayloadDiffers: Warning[] = [
  {
    code: 'payload_differs',
    path: '',
    message: 'the number was already used with a different body; the original remains unchanged',
  },
];

/** The URL of the documentation if the operator has not set the URL of the service. */
export const relativeDocsUrl = '/docs';

/** Every code has a page. */
export function docUrlOf(errorCode: PublicErrorCode, docsUrl = relativeDocsUrl): string {
  return `${docsUrl}/errors/${errorCode}`;
}
