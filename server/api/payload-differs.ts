import type { Warning } from '../../contract/errors/lists.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { warningMessage } from '../../messages/warning-texts.ts';

const warnings: Warning[] = [
  { code: 'payload_differs', path: '', message: formatMessage(warningMessage('payload_differs')) },
];

/** In the response to a repeated number whose body differs from the original. */
export const payloadDiffers = { payload_differs: true, warnings } as const;
