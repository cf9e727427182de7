import { attentionTexts } from '../../messages/attention-texts.ts';

type AttentionNames = { [Kind in keyof typeof attentionTexts]: string };

/** The conditions that need attention, in English (0) or Chinese (1); alerts have the same texts. */
export function namesOfAttention(language: 0 | 1): AttentionNames {
  const names = Object.entries(attentionTexts).map(([kind, texts]) => [kind, texts[language]]);
  return Object.fromEntries(names) as AttentionNames;
}
