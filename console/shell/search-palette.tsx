import { Modal } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useWords } from '../kit/language.tsx';
import { isTyping } from '../kit/typing.ts';
import { SearchForm } from './search-form.tsx';
import { searchWords } from './search-words.ts';

export interface SearchPaletteProps {
  opened: boolean;
  onOpen(): void;
  onClose(): void;
}

/** The one search. Ctrl+K opens it on every page, and `/` wherever nobody types. */
export function SearchPalette({ opened, onOpen, onClose }: SearchPaletteProps) {
  const say = useWords(searchWords);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isCtrlK =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isCtrlK && (event.key !== '/' || isTyping(event))) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Modal.Root opened={opened} onClose={onClose} size={680} padding={0} yOffset="8vh" centered={false}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={say.title} aria-labelledby={undefined} aria-describedby={undefined}>
        <Modal.Body>
          <SearchForm onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
