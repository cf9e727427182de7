import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import type { LinkLanguage } from '../../../contract/console/onboarding.ts';
import { useWords } from '../../kit/language.tsx';
import { words } from './words.ts';

/** How long a link can be opened. */
export function HoursField({ value, onChange }: { value: string; onChange(hours: string): void }) {
  const say = useWords(words);
  return (
    <Select
      label={say.hours}
      data={Object.entries(say.hoursChoice).map(([hours, label]) => ({ value: hours, label }))}
      value={value}
      allowDeselect={false}
      onChange={(picked) => onChange(picked ?? value)}
    />
  );
}

export function LanguageField({ value, onChange }: { value: LinkLanguage; onChange(language: LinkLanguage): void }) {
  const say = useWords(words);
  const labelId = useId();
  return (
    <Stack gap={3} align="flex-start">
      <Text size="xs" fw={500} id={labelId}>
        {say.partnerLanguage}
      </Text>
      <SegmentedControl
        aria-labelledby={labelId}
        value={value}
        onChange={(chosen) => onChange(chosen as LinkLanguage)}
        data={(['en', 'zh-TW'] as const).map((language) => ({ value: language, label: say.languageName[language] }))}
      />
    </Stack>
  );
}
