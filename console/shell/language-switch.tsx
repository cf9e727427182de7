import { Button } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useLanguage } from '../kit/language.tsx';

/** Each language is shown by its own name, so that its speakers find it. */
const other = {
  en: { language: 'zh-TW', name: '中文', lang: 'zh-Hant-TW' },
  'zh-TW': { language: 'en', name: 'English', lang: 'en' },
} as const;

export function LanguageSwitch() {
  const { language, choose } = useLanguage();
  const { language: next, name, lang } = other[language];
  return (
    <Button
      variant="subtle"
      color="gray"
      px={8}
      lang={lang}
      leftSection={<IconLanguage size={16} aria-hidden />}
      onClick={() => choose(next)}
    >
      {name}
    </Button>
  );
}
