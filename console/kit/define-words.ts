export const languages = ['en', 'zh-TW'] as const;
export type Language = (typeof languages)[number];

export interface WordList {
  [key: string]: string | ((...values: never[]) => string) | WordList;
}

/** The same keys, and functions of the same values. */
export type SameWords<W> = {
  [Key in keyof W]: W[Key] extends string
    ? string
    : W[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : SameWords<W[Key]>;
};

export interface Words<W> {
  en: W;
  'zh-TW': SameWords<W>;
}

/** All texts of a page or a part in both languages; a key that one of them lacks does not compile. */
export function defineWords<W extends WordList>(words: { en: W; 'zh-TW': SameWords<NoInfer<W>> }): Words<W> {
  return words;
}
