import { alertTexts } from './alert-texts.ts';
import { attentionTexts } from './attention-texts.ts';
import { diagnosisTexts } from './diagnosis-texts.ts';
import { errorTexts, explanationTexts } from './errors.ts';
import { importTexts } from './import-texts.ts';
import { type Message, type Param, readMessage, type Texts } from './message.ts';
import { outcomeTexts } from './outcome-texts.ts';
import { reasonTexts } from './reason-texts.ts';
import { rejectionTexts } from './rejection-texts.ts';
import { sendingTexts } from './sending-texts.ts';
import { warningTexts } from './warning-texts.ts';
import { weaknessTexts } from './weakness-texts.ts';

export const tables: readonly Texts[] = [
  diagnosisTexts,
  reasonTexts,
  outcomeTexts,
  sendingTexts,
  weaknessTexts,
  rejectionTexts,
  importTexts,
  alertTexts,
  attentionTexts,
  warningTexts,
  errorTexts,
  explanationTexts,
];

const texts = new Map(tables.flatMap((table) => Object.entries(table)));
const languageIndex = { en: 0, 'zh-TW': 1 } as const;
const joints = { en: '; ', 'zh-TW': '；' } as const;

/** Text that is not ours stays as it is; a code of a newer version is shown with its values. */
export function formatMessage(message: Message | string, language: keyof typeof languageIndex = 'en'): string {
  if (typeof message === 'string') return message;
  const text = texts.get(message.code)?.[languageIndex[language]];
  if (text === undefined) return JSON.stringify(message);
  return text.replace(/\{(\w+)\}/g, (_, name) => formatParam(message.params?.[name] ?? '', language));
}

function formatParam(param: Param, language: keyof typeof languageIndex): string {
  if (typeof param !== 'object') return String(param);
  return [param]
    .flat()
    .map((one) => formatMessage(one, language))
    .join(joints[language]);
}

/** Formats the content of a text column in English: a stored message, or plain text. */
export function formatStored(stored: string): string;
export function formatStored(stored: string | null): string | null;
export function formatStored(stored: string | null): string | null {
  return stored === null ? null : formatMessage(readMessage(stored));
}
