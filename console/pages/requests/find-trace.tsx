import { TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import classes from './requests.module.css';
import { words } from './words.ts';

const traceIdForm = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Opens the request as soon as a trace id is pasted, even within a log line. */
export function FindTrace() {
  const say = useWords(words);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const open = (given: string): boolean => {
    const found = traceIdForm.exec(given.toLowerCase())?.[0];
    if (found !== undefined) void navigate(`/requests/${found}`);
    return found !== undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(!open(text));
  };
  const paste = (event: ClipboardEvent) => {
    if (open(event.clipboardData.getData('text'))) event.preventDefault();
  };
  return (
    <form onSubmit={submit} className={classes.findTrace}>
      <TextInput
        aria-label={say.findTrace}
        placeholder={say.findTracePlaceholder}
        leftSection={<IconFingerprint size={15} aria-hidden />}
        value={text}
        error={isWrong && say.notTraceId}
        autoComplete="off"
        spellCheck={false}
        onPaste={paste}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
    </form>
  );
}
