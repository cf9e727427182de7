import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { AskError } from './ask-error.ts';
import { IdText } from './id-text.tsx';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';

export interface Notices {
  done(message: string): void;
  refused(message: string): void;
  failed(error: AskError): void;
}

/** Short messages in the corner. Successes disappear by themselves, errors stay until they are closed. */
export function useNotices(): Notices {
  const words = useWords(sharedWords);
  const closeButtonProps = { 'aria-label': words.verb.close };
  return {
    done: (message) =>
      void notifications.show({
        message,
        color: 'green',
        icon: <IconCheck size={16} />,
        autoClose: 4000,
        closeButtonProps,
      }),
    refused: (message) =>
      void notifications.show({
        message,
        color: 'orange',
        icon: <IconAlertTriangle size={16} />,
        autoClose: 8000,
        closeButtonProps,
      }),
    failed: (error) => {
      // The sign-in page appears, which is message enough.
      if (error.kind === 'signed_out') return;
      notifications.show({
        color: 'red',
        icon: <IconAlertTriangle size={16} />,
        autoClose: false,
        closeButtonProps,
        title: words.errorTitle,
        message: (
          <>
            <div>{formatError(error, words.errorKind)}</div>
            {error.traceId !== null && (
              <IdText value={error.traceId} label={words.noun.traceId} to={`/requests/${error.traceId}`} />
            )}
          </>
        ),
      });
    },
  };
}

/** The kind of error in the operator's language; details of an invalid body are in English only. */
export function formatError(
  error: Pick<AskError, 'kind' | 'message' | 'mistakes'>,
  kinds: Record<AskError['kind'], string>,
): string {
  const details = error.mistakes.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') || error.message;
  return error.kind === 'invalid' && details !== '' ? `${kinds[error.kind]} ${details}` : kinds[error.kind];
}
