import { useQuery } from '@tanstack/react-query';
import type { Message } from '../../messages/message.ts';
import { useLanguage } from './language.tsx';

export interface ServerTextProps {
  text: Message | string;
  className?: string | undefined;
  /** The cell may truncate the text, so the full text is set as its title. */
  isCut?: boolean;
}

/** A message of the server in the operator's language. Its title is the English text that partners and the log have. */
export function ServerText({ text, className, isCut = false }: ServerTextProps) {
  const said = useFormatted(text);
  const titles = [...(isCut ? [said.text] : []), ...(said.text === said.english ? [] : [said.english])];
  return (
    <span className={className} lang={said.language} title={titles.length > 0 ? titles.join('\n') : undefined}>
      {said.text}
    </span>
  );
}

/** Formats messages of the server; undefined until their texts are loaded. */
export function useFormatMessage() {
  return useQuery({
    queryKey: ['format-message'],
    queryFn: async () => (await import('../../messages/format-message.ts')).formatMessage,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Loads the texts when the first of them is needed. */
function useFormatted(message: Message | string) {
  const { language } = useLanguage();
  const format = useFormatMessage();
  // Text is from before messages had codes, or from another system.
  if (typeof message === 'string') return { text: message, english: message, language: 'en' };
  return { text: format?.(message, language) ?? '', english: format?.(message) ?? '', language };
}
