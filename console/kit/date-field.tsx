import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readClock, readDate } from './date-text.ts';
import { useWords } from './language.tsx';
import { words } from './words.ts';

export interface DateFieldProps
  extends Pick<TextInputProps, 'label' | 'aria-label' | 'className' | 'error' | 'onKeyDown' | 'rightSection'> {
  /** A date as yyyy-mm-dd, or what was typed of one; '' means no date. `readDate` says which. */
  value: string;
  onChange(text: string): void;
  disabled?: boolean;
  /** The text also has a time: yyyy-mm-dd hh:mm. `readClock` reads it. */
  withTime?: boolean;
}

/**
 * A date as text, always yyyy-mm-dd. A native date input shows the order of the operator's system, so that 03/04 is two
 * different days, and a scanner or a keypad cannot type into it.
 */
export function DateField({ value, onChange, error, withTime = false, ...field }: DateFieldProps) {
  const say = useWords(words);
  const [isTyping, setTyping] = useState(false);
  const { read, form } = formOf(withTime);
  const isWrong = read(value) === null && (!isTyping || value.length >= form.length);
  const mistake = /^\d{4}-\d\d-\d\d/.test(value) ? say.noSuchDay : say.typeDate(form);
  return (
    <TextInput
      {...field}
      inputMode={withTime ? 'text' : 'numeric'}
      placeholder={form}
      maxLength={form.length}
      autoComplete="off"
      spellCheck={false}
      value={value}
      error={isWrong ? mistake : error}
      onFocus={() => setTyping(true)}
      onBlur={() => {
        setTyping(false);
        const complete = read(value) ?? value;
        if (complete !== value) onChange(complete);
      }}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange(/^\d{8}$/.test(text) && !withTime ? (readDate(text) ?? text) : text);
      }}
    />
  );
}

interface DateFilterProps extends Omit<DateFieldProps, 'onChange'> {
  /** Gets complete dates only, or ''. */
  onApply(date: string): void;
}

/** A date that is applied as soon as it is complete. Until then, and while it is wrong, the old one stays. */
export function DateFilter({ value, onApply, ...field }: DateFilterProps) {
  const { read, form } = formOf(field.withTime ?? false);
  const [text, setText] = useState(value);
  // The browser's back and forward buttons and the chips also change the value.
  useEffect(() => setText((typed) => (read(typed) === value ? typed : value)), [value, read]);
  return (
    <DateField
      {...field}
      value={text}
      onChange={(typed) => {
        setText(typed);
        const date = read(typed);
        const isComplete = date !== null && (date === '' || date === typed || typed.length === form.length);
        if (isComplete && date !== value) onApply(date);
      }}
    />
  );
}

function formOf(withTime: boolean) {
  return withTime ? { read: readClock, form: 'yyyy-mm-dd hh:mm' } : { read: readDate, form: 'yyyy-mm-dd' };
}
