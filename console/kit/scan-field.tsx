import { ActionIcon, TextInput } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBarcode,
  IconKeyboard,
  IconKeyboardOff,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { type FormEvent, type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import classes from './scan-field.module.css';
import { useScanQueue } from './scan-queue.ts';
import type { ScanResult } from './scan-result.ts';
import { readScan } from './scan-text.ts';
import { isSoundOn, switchSound } from './sound.ts';
import { readStored, writeStored } from './stored.ts';
import { words } from './words.ts';

export interface ScanFieldProps {
  label: string;
  /**
   * The scanned text, trimmed and not empty, and its units (1 without a multiplier). The next scan waits until the
   * promise is settled and the result is rendered.
   */
  onScan(code: string, units: number): unknown;
  /** The result of the last scan, from `useScanResult`. A failed one is shown as an alert. */
  last?: ScanResult | null;
  disabled?: boolean;
  /** Whether `12x` makes the next scan count for 12 units. */
  multiplies?: boolean;
  /** A change of this value moves the focus to the field, for example after a dialog. */
  turn?: unknown;
}

/**
 * A large field for a scanner, which types text and presses Enter. It keeps the soft keyboard closed, takes the focus
 * back after each scan, and queues scans that arrive while an earlier one is handled.
 */
export function ScanField({ label, onScan, last, disabled = false, multiplies = false, turn }: ScanFieldProps) {
  const say = useWords(words);
  const field = useRef<HTMLInputElement>(null);
  const [hasKeyboard, setKeyboard] = useState(() => readStored('scanKeyboard') === 'on');
  const { submit, units, waiting, forgetUnits } = useScans(field, onScan, multiplies);
  useStrayKeys(field, disabled);
  // Before the page is painted: a scanner may type as soon as somebody sees it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn only says when.
  useLayoutEffect(() => {
    if (!disabled) field.current?.focus();
  }, [disabled, turn]);

  return (
    <form onSubmit={submit} className={classes.scan}>
      <Switches field={field} hasKeyboard={hasKeyboard} onKeyboard={setKeyboard} />
      <TextInput
        ref={field}
        classNames={{ label: classes.beside ?? '', description: classes.beside ?? '' }}
        size="lg"
        label={label}
        description={multiplies ? say.scanManyHint : say.scanHint}
        leftSection={<IconBarcode size={22} aria-hidden />}
        disabled={disabled}
        maxLength={200}
        inputMode={hasKeyboard ? 'text' : 'none'}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        onKeyDown={(event) => event.key === 'Escape' && forgetUnits()}
        // Without focus, the scanner's input would be lost. If the focus moves to another control, it stays there.
        onBlur={(event) => {
          if (event.relatedTarget === null && document.hasFocus())
            setTimeout(() => document.activeElement === document.body && field.current?.focus());
        }}
      />
      {units > 1 && (
        <output className={classes.units}>
          <strong>{formatNumber(units)} ×</strong> {say.nextScan}
        </output>
      )}
      {waiting > 0 && <output className={classes.waiting}>{say.scansWaiting(formatNumber(waiting))}</output>}
      <LastScan last={last} />
    </form>
  );
}

/** The input is not controlled by React: no key waits for a render. */
function useScans(field: RefObject<HTMLInputElement | null>, onScan: ScanFieldProps['onScan'], multiplies: boolean) {
  const [units, setUnits] = useState(1);
  // A scan before the next render must see the multiplier.
  const pending = useRef(1);
  const { add, waiting } = useScanQueue<{ code: string; units: number }>((scan) => onScan(scan.code, scan.units));
  const multiply = (next: number) => {
    pending.current = next;
    setUnits(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    if (field.current) field.current.value = '';
    field.current?.focus();
    const scan = multiplies ? readScan(text, pending.current) : readPlain(text);
    if (scan === null) return;
    multiply(scan.kind === 'multiplier' ? scan.units : 1);
    if (scan.kind === 'code') add(scan);
  };
  return { submit, units, waiting, forgetUnits: () => multiply(1) };
}

function readPlain(text: string) {
  const code = text.trim();
  return code === '' ? null : ({ kind: 'code', code, units: 1 } as const);
}

/**
 * A scanner types wherever the focus is. After a click on a button, its text still belongs into the field. Buttons of a
 * group keep their keys, such as those that grade a unit.
 */
function useStrayKeys(field: RefObject<HTMLInputElement | null>, disabled: boolean): void {
  const redirect = useEffectEvent((event: KeyboardEvent) => {
    const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const from = event.target instanceof HTMLElement ? event.target : null;
    const isStray = from === document.body || from?.matches('button:not([role=group] *), a[href], [role=switch]');
    if (disabled || !isText || !isStray || document.querySelector('[role=dialog]')) return;
    // The shortcuts of the console must not see it either.
    event.stopPropagation();
    field.current?.focus();
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => redirect(event);
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

interface SwitchesProps {
  field: RefObject<HTMLInputElement | null>;
  hasKeyboard: boolean;
  onKeyboard(isOn: boolean): void;
}

function Switches({ field, hasKeyboard, onKeyboard }: SwitchesProps) {
  const say = useWords(words);
  const [hasSound, setSound] = useState(isSoundOn);
  return (
    <div className={classes.switches}>
      <ActionIcon
        size={44}
        variant="subtle"
        color="gray"
        aria-label={say.softKeyboard}
        aria-pressed={hasKeyboard}
        onClick={() => {
          writeStored('scanKeyboard', hasKeyboard ? 'off' : 'on');
          onKeyboard(!hasKeyboard);
          // A phone opens or closes its keyboard when the field takes the focus, which is after the render.
          setTimeout(() => field.current?.focus());
        }}
      >
        {hasKeyboard ? <IconKeyboard size={20} /> : <IconKeyboardOff size={20} />}
      </ActionIcon>
      <ActionIcon
        size={44}
        variant="subtle"
        color="gray"
        aria-label={say.sound}
        aria-pressed={hasSound}
        onClick={() => {
          switchSound(!hasSound);
          setSound(!hasSound);
          field.current?.focus();
        }}
      >
        {hasSound ? <IconVolume size={20} /> : <IconVolumeOff size={20} />}
      </ActionIcon>
    </div>
  );
}

function LastScan({ last }: { last: ScanResult | null | undefined }) {
  const say = useWords(words);
  const hasFailed = last?.tone === 'failed';
  return (
    <>
      <div className={classes.last} aria-live="polite" data-tone={hasFailed ? undefined : last?.tone}>
        {last && !hasFailed && (
          <>
            <span className={classes.lastLabel}>{say.lastScan}</span> {last.text}
          </>
        )}
      </div>
      <div role="alert" className={classes.alert}>
        {hasFailed && (
          <div className={classes.loud}>
            <IconAlertTriangle size={26} aria-hidden />
            <span>{last.text}</span>
          </div>
        )}
      </div>
    </>
  );
}
