import { codesOfMessages, errorCodes, type PublicErrorCode } from '../contract/errors/codes.ts';
import { warningCodes } from '../contract/errors/lists.ts';
import { errorCatalogue } from '../reference/error-catalogue.ts';
import { shownMessage } from '../reference/errors/message-tables.ts';

/** More would hide the explanation; the tables of the guide have them all. */
const messagesListedMax = 8;

/** Generates the chapter of the error guide about the lists in responses. Each code has a page with the text of its section. */
export function generateErrorCodes(): string {
  return [introduction, ...Object.keys(errorCodes).map((code) => renderCode(code as PublicErrorCode)), warnings].join(
    '\n\n',
  );
}

const introduction = `
## Codes of errors

Every rejection lists its errors. The list is in \`data.errors\` (warehouse API), in \`retval.errors\` (logistics webhook), or in \`errors\` next to \`done\`, \`msg\` and \`retval\` (main API):

\`\`\`json
{
  "code": "field_invalid",
  "path": "details[0].qty",
  "message": "must be >= 1",
  "doc_url": "https://lading.example/docs/errors/field_invalid"
}
\`\`\`

- \`code\` is for programs. New codes may be added: treat a code that you do not know like its HTTP status.
- \`path\` is the field at fault, such as \`details[0].qty\` or \`express_type\`. It is empty if the error is not about a field of the body.
- \`message\` is for people, and names the allowed values if there are few.
- \`doc_url\` links to the page about the code. It has no host name if the operator has not set the URL of the service (\`PUBLIC_URL\`).

If a body has several mistakes, the list has all of them, not only the first. A request that is rejected for another reason has one entry. In batches, a refused entry has its own \`code\` and \`message\`.
`.trim();

function renderCode(code: PublicErrorCode): string {
  const { meaning, todo } = errorCodes[code];
  const messages = new Set(errorCatalogue.filter(({ error }) => codesOfMessages[error] === code).map(shownMessage));
  const listed = [...messages].map((message) => `\`${message}\``);
  return [
    `### \`${code}\``,
    `${meaning} ${todo}`,
    listed.length > messagesListedMax
      ? `${listed.length} messages; the tables below explain them.`
      : `Messages: ${listed.join(', ')}.`,
  ].join('\n\n');
}

const warnings = `
## Warnings

A successful response can have \`warnings\` in \`data\` or \`retval\`. The request was carried out, but it is probably not what you meant:

\`\`\`json
{
  "code": "unknown_field",
  "path": "consignee_nmae",
  "message": "is not a field of this request and is ignored; did you mean consignee_name?"
}
\`\`\`

| code | meaning |
|---|---|
${Object.entries(warningCodes)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}

- Responses to production accounts never have \`unknown_field\`: an unknown field is ignored there. Look at the warnings in UAT before you go live.
- At most 100 unknown fields are listed. Searches reject unknown filters instead.
- \`payload_differs\` comes with the field \`payload_differs: true\`, in every environment. See [Idempotency and retries](idempotency-and-retries.md).
`.trim();
