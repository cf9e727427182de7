import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { type Language, languages, type SameWords, type Words } from './define-words.ts';
import { readStored, writeStored } from './stored.ts';

interface LanguageChoice {
  language: Language;
  choose(language: Language): void;
}

const storageName = 'language';
const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => {} });

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language === 'zh-TW' ? 'zh-Hant-TW' : 'en';
  }, [language]);
  const choose = (chosen: Language) => {
    writeStored(storageName, chosen);
    setLanguage(chosen);
  };
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  return use(LanguageContext);
}

export function useWords<W>(words: Words<W>): SameWords<W> {
  return words[use(LanguageContext).language] as SameWords<W>;
}

function firstLanguage(): Language {
  const stored = readStored(storageName);
  return (
    languages.find((language) => language === stored) ??
    (navigator.language.toLowerCase().startsWith('zh') ? 'zh-TW' : 'en')
  );
}
