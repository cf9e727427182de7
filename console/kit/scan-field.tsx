import { TextInput } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useWords } from './language.tsx';
import classes from './scan-field.module.css';
import type { Tone } from './status-badge.tsx';
import { words } from './words.ts';

export interface ScanFieldProps {
  label: string;
  /** The scanned text, trimmed and not empty. */
  onScan(code: string): void;
  /** The result of the last scan. */
  last?: { tone: Tone; text: ReactNode } | null;
  disabled?: boolean;
}

/** A large field for a scanner, which types text and presses Enter. It takes the focus back after each scan. */
export function ScanField({ label, onScan, last, disabled = false }: ScanFieldProps) {
  const say = useWords(words);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!disabled) field.current?.focus();
  }, [disabled]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = text.trim();
    setText('');
    field.current?.focus();
    if (code !== '') onScan(code);
  };
  return (
    <form onSubmit={submit} className={classes.scan}>
      <TextInput
        ref={field}
        size="lg"
        label={label}
        description={say.scanHint}
        leftSection={<IconBarcode size={22} aria-hidden />}
        value={text}
        disabled={disabled}
        maxLength={200}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => setText(event.currentTarget.value)}
        // Without focus, the scanner's input would be lost. If the focus moves to another control, it stays there.
        onBlur={(event) => {
          if (event.relatedTarget === null && document.hasFocus())
            setTimeout(() => document.activeElement === document.body && field.current?.focus());
        }}
      />
      <div className={classes.last} aria-live="assertive" data-tone={last?.tone}>
        {last && (
          <>
            <span className={classes.lastLabel}>{say.lastScan}</span> {last.text}
          </>
        )}
      </div>
    </form>
  );
}
