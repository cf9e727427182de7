import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';

export interface LoadingProps {
  /** The expected number of lines, so that the layout does not jump. */
  lines?: number;
  lineHeight?: number;
}

export function Loading({ lines = 6, lineHeight = 18 }: LoadingProps) {
  const words = useWords(sharedWords);
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{words.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same.
        <Skeleton key={line} height={lineHeight} mb={10} width={`${[92, 78, 85, 64, 88, 71][line % 6]}%`} />
      ))}
    </div>
  );
}
