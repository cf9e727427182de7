import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { inboundNoteAdd } from '../../../contract/console/inbound-note-add.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import classes from './inbound.module.css';
import { words } from './words.ts';

const noteLengthMax = 2000;

export function AddNote({ inboundId }: { inboundId: number }) {
  const say = useWords(words);
  const [text, setText] = useState('');
  const add = useChange<typeof inboundNoteAdd>('/inbound/note-add', { onAnswer: () => setText('') });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !add.isRunning) void add.run({ inbound_id: inboundId, text: text.trim() });
  };
  return (
    <form onSubmit={submit} className={classes.addNote}>
      <Textarea
        aria-label={say.note.label}
        placeholder={say.note.placeholder}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={noteLengthMax}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isRunning} disabled={text.trim() === ''}>
        {say.note.add}
      </Button>
    </form>
  );
}
