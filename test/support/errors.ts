import { codesOfMessages, type PublicErrorCode } from '../../contract/errors/codes.ts';
import { findCatalogued } from '../../reference/error-catalogue.ts';

/** An entry of `errors`, as the service lists it if PUBLIC_URL is not set. */
export function errorItem(code: PublicErrorCode, path: string, message: string, docsUrl = '/docs') {
  return { code, path, message, doc_url: `${docsUrl}/errors/${code}` };
}

/** A rejection of the main API for one reason that is not about a field. */
export function refusedByMain(code: PublicErrorCode, msg: string, docsUrl?: string) {
  return { done: false, msg, retval: null, errors: [errorItem(code, '', msg, docsUrl)] };
}

/** The result of a refused entry in a batch of the main API. */
export function refusedEntry<Name extends object>(name: Name, message: string) {
  const { error } = findCatalogued('main', 200, message)!;
  return { ...name, status: 'refused', code: codesOfMessages[error], message };
}

export function pathsOf(items: { path: string }[]): string[] {
  return items.map(({ path }) => path);
}

/** The entry of `errors` in the response to a document that already exists. */
export const duplicateItem = errorItem(
  'duplicate_document',
  'inbound_short_id',
  'duplicate document: the original was accepted',
);

/** The warning about a repeated number with a different body. */
export const payloadDiffers = {
  payload_differs: true,
  warnings: [
    {
      code: 'payload_differs',
      path: '',
      message: 'the number was already used with a different body; the original remains unchanged',
    },
  ],
};
