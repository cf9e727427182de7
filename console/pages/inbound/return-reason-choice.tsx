import { Radio, SimpleGrid } from '@mantine/core';
import type { ReturnReason } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { words } from './words.ts';

interface ReturnReasonChoiceProps {
  value: ReturnReason | null;
  isMissing: boolean;
  onChange(reason: ReturnReason): void;
}

/** Why the goods came back. A return is not received without a reason. */
export function ReturnReasonChoice({ value, isMissing, onChange }: ReturnReasonChoiceProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Radio.Group
      mt="sm"
      label={say.returnReason.label}
      required
      aria-label={`${say.returnReason.label} (${shared.required})`}
      value={value}
      error={isMissing && value === null && say.returnReason.missing}
      onChange={(reason) => onChange(reason as ReturnReason)}
    >
      <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs" mt={6}>
        {Object.entries(say.reason).map(([reason, label]) => (
          <Radio key={reason} value={reason} label={label} size="md" />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

/** The reason in the operator's language; one of a newer version is shown as it is. */
export function useReasonName(): (reason: string) => string {
  const say = useWords(words);
  return (reason) => (say.reason as Record<string, string>)[reason] ?? reason;
}
