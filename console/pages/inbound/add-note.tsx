import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { inboundNoteAdd } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import classes from './inbound.module.css';
import { words } from './words.ts';

const noteLengthMax = 2000;

export function AddNote({ inboundId }: { inboundId: number }) {
  const say = useWords(words);
  const notices = useNotices();
  const [text, setText] = useState('');
  const add = useChange<typeof inboundNoteAdd>('/inbound/note-add', {
    onAnswer: (answer) => {
      if (answer.kind === 'added') setText('');
      else notices.refused(say.note.full(formatNumber(answer.max)));
    },
  });
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
