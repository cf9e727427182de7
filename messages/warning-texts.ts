import { messagesOf } from './message.ts';

/** Remarks about successful requests, for partners. */
export const warningTexts = {
  field_ignored: ['is not a field of this request and is ignored', '不是此請求的欄位，已忽略'],
  field_ignored_similar: [
    'is not a field of this request and is ignored; did you mean {similar}?',
    '不是此請求的欄位，已忽略；是否要用 {similar}？',
  ],
  payload_differs: [
    'the number was already used with a different body; the original remains unchanged',
    '此編號已用於另一份不同的內容；原內容維持不變',
  ],
} as const;

export const warningMessage = messagesOf(warningTexts);
