import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { AskError } from './ask-error.ts';
import { IdText } from './id-text.tsx';
import { useWords } from './language.tsx';
import { formatError } from './notices.tsx';
import { sharedWords } from './shared-words.ts';
import classes from './state.module.css';

export interface ErrorStateProps {
  error: Pick<AskError, 'kind' | 'message' | 'mistakes' | 'traceId'>;
  onRetry?: () => void;
}

/** Replaces content that failed to load. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const words = useWords(sharedWords);
  return (
    <div className={classes.state} role="alert">
      <span className={classes.icon} aria-hidden="true">
        <IconAlertTriangle size={28} stroke={1.4} />
      </span>
      <Text fw={600}>{words.errorTitle}</Text>
      <Text size="sm" c="dimmed" maw={460}>
        {formatError(error, words.errorKind)}
      </Text>
      {error.traceId !== null && (
        <Text size="sm" component="div">
          {words.noun.traceId} <IdText value={error.traceId} label={words.noun.traceId} />
        </Text>
      )}
      {onRetry && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          onClick={onRetry}
          className={classes.action ?? ''}
        >
          {words.verb.retry}
        </Button>
      )}
    </div>
  );
}
