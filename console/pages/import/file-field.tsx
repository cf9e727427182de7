import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import classes from './import.module.css';
import type { useImport } from './use-import.ts';
import { words } from './words.ts';

type Form = ReturnType<typeof useImport>;

/** Takes a file by click or drop, or pasted cells. */
export function FileField({ form, isComplete }: { form: Form; isComplete: boolean }) {
  const say = useWords(words);
  const { source, step } = form;
  const isBusy = step.kind === 'checking' || step.kind === 'importing';
  return (
    <Section title={say.file}>
      <Stack gap="sm">
        <DropArea form={form} isBusy={isBusy} />
        <PastedCells form={form} isReady={!isBusy && isComplete} />
        {source !== null && (
          <Text size="sm" role="status">
            {say.read(source.name, formatNumber(source.table.rows.length))}
            {source.table.encoding !== null && ` ${say.encoding(source.table.encoding)}`}
            {source.table.sheet !== null && ` ${say.sheet(source.table.sheet)}`}
          </Text>
        )}
        {source !== null && step.kind === 'waiting' && (
          <Group>
            <Button disabled={!isComplete} onClick={() => void form.check()}>
              {say.check}
            </Button>
            {!isComplete && <Text size="sm">{say.chooseFirst}</Text>}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function DropArea({ form, isBusy }: { form: Form; isBusy: boolean }) {
  const say = useWords(words);
  const [isOver, setOver] = useState(false);
  const resetFile = useRef<() => void>(null);
  const take = (file: File | null | undefined) => {
    if (!file) return;
    void form.takeFile(file);
    // The same file can be chosen again after it was corrected.
    resetFile.current?.();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!isBusy) take(event.dataTransfer.files[0]);
      }}
    >
      <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden />
      <Group gap="sm" justify="center">
        <FileButton resetRef={resetFile} accept=".xlsx,.csv,.tsv,.txt,text/csv" onChange={take} disabled={isBusy}>
          {(props) => <Button {...props}>{say.choose}</Button>}
        </FileButton>
        <Text size="sm">{say.orDrop}</Text>
      </Group>
      <Text size="sm" c="dimmed">
        {say.limits}
      </Text>
    </div>
  );
}

function PastedCells({ form, isReady }: { form: Form; isReady: boolean }) {
  const say = useWords(words);
  const [text, setText] = useState('');
  return (
    <>
      <Textarea
        label={say.paste}
        placeholder={say.pasteHint}
        classNames={{ input: classes.cells ?? '' }}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' && (
        <Group>
          <Button variant="default" disabled={!isReady} onClick={() => void form.takeCells(say.pasted, text)}>
            {say.checkCells}
          </Button>
        </Group>
      )}
    </>
  );
}
