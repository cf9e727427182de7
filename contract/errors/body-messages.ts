import { allContracts, type CataloguedMessage } from './catalogued-message.ts';

const serialize = 'Make the body with a JSON library; do not put it together by hand.';

const rows: [message: string, cause: string, cure: string][] = [
  ['The body is empty.', 'There is no body.', 'Send a JSON object, `{}` at least; look whether a redirect or a proxy drops it.'],
  ['The body is not valid UTF-8.', 'The bytes are in another encoding.', 'Encode the text as UTF-8.'],
  ['The body starts with a byte order mark.', 'The first three bytes are a UTF-8 byte order mark.', 'Write the body without it.'],
  ['The body is not valid JSON: it ends too early.', 'The text was cut off, or a bracket is missing.', serialize],
  [
    'The body is not valid JSON at character <position>: a comma stands before ] or }.',
    'Behind the last entry of a list or an object there is a comma.',
    `Remove it. ${serialize}`,
  ],
  ['The body is not valid JSON at character <position>.', 'The text is no JSON from that character on, counted from 0.', serialize],
  [
    'The body is not valid JSON: the key at byte <position> has a wrong escape.',
    'A key has a `\\` that begins no valid escape.',
    serialize,
  ],
  [
    'The body nests deeper than <levels> levels at byte <position>.',
    'Objects and lists stand in one another more than 32 levels deep.',
    'Send a flatter body.',
  ],
  [
    'The number at byte <position> cannot be kept exactly.',
    'The number has more digits than a double keeps.',
    'Send fewer digits; send identifiers as text.',
  ],
  [
    'A string or key holds a NUL character, which cannot be stored, at byte <position>.',
    'The text has the escape for U+0000.',
    'Remove it; fields of fixed length are often filled up with it.',
  ],
  [
    'A string or key holds half of a surrogate pair at byte <position>.',
    'A character outside of the basic plane was cut in two.',
    'Cut text between characters, not between UTF-16 units.',
  ],
  ['The key "<key>" at byte <position> appears twice in one object.', 'Two readers could see different values.', 'Send each key once.'],
  [
    'The key "<key>" at byte <position> is not allowed.',
    '`__proto__` and `constructor` are refused, since they can change how objects of a program behave.',
    'Rename or drop the key.',
  ],
  [
    'Large objects have more than <keys> keys at byte <position>.',
    'The keys of objects that have more than 24, and keys with escapes, are counted together: no body of ours needs so many.',
    'Send lists as lists.',
  ],
  [
    'The body has more than <values> values at byte <position>.',
    'Fields, list entries, objects and lists are counted together: no body of ours has room for so many.',
    'Split it into several requests.',
  ],
];

/** What is refused rather than guessed at when a body is read; positions count from 0. */
export const bodyMessages: CataloguedMessage[] = rows.map(([message, cause, cure]) => ({
  ...{ contracts: allContracts, status: 400, message, cause, cure },
  about: 'body',
}));
