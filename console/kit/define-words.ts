export const languages = ['en', 'zh-TW'] as const;
export type Language = (typeof languages)[number];

export interface WordList {
  [key: string]: string | ((...values: never[]) => string) | WordList;
}

/** A translation: the same keys, and functions with the same parameters. */
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

/** Defines all texts of a page or component in both languages. A key that is missing in one does not compile. */
export function defineWords<W extends WordList>(words: { en: W; 'zh-TW': SameWords<NoInfer<W>> }): Words<W> {
  return words;
}
