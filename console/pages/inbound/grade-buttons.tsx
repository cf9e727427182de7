import { Button, Kbd } from '@mantine/core';
import { type KeyboardEvent, type Ref, useRef } from 'react';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import classes from './inbound.module.css';
import type { Condition, Scanned } from './receipt-draft.ts';
import { words } from './words.ts';

export interface GradeButtonsProps {
  ref: Ref<HTMLDivElement>;
  /** The product, and the units that are graded together; null: nothing was scanned yet. */
  chosen: Scanned | null;
  onGrade(condition: Condition): void;
  /** Called when the operator scans the next unit instead of grading this one. */
  onScan(code: string): void;
}

/** Dark enough for white text in both colour schemes. */
const goodColour = '#1b7f4b';
export const conditionOfKey: Record<string, Condition | undefined> = { g: 'good', b: 'bad' };
/** A scanner types faster than this and a person slower, so a G within a scanned code does not grade a unit. */
const burstPauseMs = 100;

/** Grades one unit as good or defective, with two large buttons or a key. */
export function GradeButtons({ ref, chosen, onGrade, onScan }: GradeButtonsProps) {
  const say = useWords(words);
  const burst = useRef<{ text: string; timer: ReturnType<typeof setTimeout> | undefined }>({
    text: '',
    timer: undefined,
  });

  const takeBurst = () => {
    const { text, timer } = burst.current;
    clearTimeout(timer);
    burst.current = { text: '', timer: undefined };
    return text;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || chosen === null) return;
    if (event.key === 'Enter' && burst.current.text.length > 1) {
      event.preventDefault();
      onScan(takeBurst());
      return;
    }
    if (event.key.length !== 1 || event.key === ' ') return;
    event.preventDefault();
    const text = takeBurst() + event.key;
    const grade = () => {
      const condition = conditionOfKey[takeBurst().toLowerCase()];
      if (condition) onGrade(condition);
    };
    burst.current = { text, timer: setTimeout(grade, burstPauseMs) };
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have the focus, which the keys need.
    <div ref={ref} className={classes.grades} role="group" aria-label={say.grade.group} tabIndex={-1} onKeyDown={onKey}>
      <div className={classes.gradesTitle}>
        {chosen === null ? say.grade.hint : say.draft.unitsOfSku(formatNumber(chosen.units), chosen.line.sku_id)}
      </div>
      <GradeButton letter="G" color={goodColour} disabled={chosen === null} onClick={() => onGrade('good')}>
        {say.grade.good}
      </GradeButton>
      <GradeButton letter="B" color="red.8" disabled={chosen === null} onClick={() => onGrade('bad')}>
        {say.grade.bad}
      </GradeButton>
    </div>
  );
}

interface GradeButtonProps {
  /** The key that does the same. */
  letter: string;
  color: string;
  disabled: boolean;
  onClick(): void;
  children: string;
}

function GradeButton({ letter, ...button }: GradeButtonProps) {
  const key = (
    <Kbd aria-hidden visibleFrom="sm">
      {letter}
    </Kbd>
  );
  return <Button size="xl" rightSection={key} {...button} />;
}
