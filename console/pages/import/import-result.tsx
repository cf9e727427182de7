import { Alert, Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ImportedDocument, ImportKind } from '../../../contract/console/imports.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { DocumentTable, MistakeTable } from './document-table.tsx';
import classes from './import.module.css';
import type { CheckedFile } from './run-import.ts';
import type { useImport } from './use-import.ts';
import { words } from './words.ts';

type Form = ReturnType<typeof useImport>;
const listOf: Record<ImportKind, string> = { products: '/products', inbound: '/inbound', orders: '/orders' };

/** The effect of a file: planned, under way, or done. */
export function ImportResult({ form, kind, isComplete }: { form: Form; kind: ImportKind; isComplete: boolean }) {
  const say = useWords(words);
  const { step } = form;
  switch (step.kind) {
    case 'waiting':
      return null;
    case 'unreadable':
      return (
        <Alert color="red" role="alert" title={say.unreadable(step.name)}>
          {say.problem[step.error.problem](formatNumber(step.error.row ?? 0))}
        </Alert>
      );
    case 'refused':
      return (
        <Alert color="red" role="alert" title={say.wrongColumns}>
          {step.mistakes.map((mistake) => (
            <div key={mistake.code}>
              <ServerText text={mistake} />
            </div>
          ))}
        </Alert>
      );
    case 'checking':
    case 'importing':
      return <Running form={form} />;
    case 'checked':
      // A new preview starts without consent to leave out documents.
      return <Preview key={form.source?.name} form={form} file={step.file} kind={kind} isComplete={isComplete} />;
    case 'imported':
      return <Done documents={step.documents} isWhole={step.isWhole} form={form} kind={kind} />;
    default:
      return step satisfies never;
  }
}

function Running({ form: { step, stop } }: { form: Form }) {
  const say = useWords(words);
  if (step.kind !== 'checking' && step.kind !== 'importing') return null;
  const { done, of } = step.progress;
  return (
    <Section title={say[step.kind]}>
      <Stack gap="sm">
        <Progress value={of === 0 ? 0 : (done / of) * 100} aria-label={say[step.kind]} />
        <Group gap="sm">
          <Text size="sm" role="status">
            {say.rowsDone(formatNumber(done), formatNumber(of))}
          </Text>
          <Button size="compact-sm" variant="default" onClick={stop}>
            {say.stop}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

const outcomes = ['created', 'changed', 'known', 'differs', 'refused'] as const;

function countOutcomes(documents: ImportedDocument[]) {
  return outcomes.map((outcome) => ({ outcome, count: documents.filter((one) => one.outcome === outcome).length }));
}

function Counts({ documents, isDone }: { documents: ImportedDocument[]; isDone: boolean }) {
  const say = useWords(words);
  return (
    <dl className={classes.counts}>
      {countOutcomes(documents)
        .filter(({ outcome, count }) => count > 0 || outcome === 'created')
        .map(({ outcome, count }) => (
          <div key={outcome}>
            <dt>{(isDone ? say.outcomeDone : say.outcome)[outcome]}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
    </dl>
  );
}

function Preview({
  form,
  file,
  kind,
  isComplete,
}: {
  form: Form;
  file: CheckedFile;
  kind: ImportKind;
  isComplete: boolean;
}) {
  const say = useWords(words);
  const [leavesOut, setLeavesOut] = useState(false);
  const { documents, ignored } = file;
  const wrong = documents.filter(({ outcome }) => outcome === 'refused').length;
  const wanted = documents.filter(({ outcome }) => outcome === 'created' || outcome === 'changed').length;
  const isBlocked = wrong > 0 && !leavesOut;
  return (
    <>
      <Section title={say.preview}>
        <Stack gap="md">
          <Counts documents={documents} isDone={false} />
          {ignored.length > 0 && <Text size="sm">{say.ignored(ignored.join(', '))}</Text>}
          {documents.some(({ outcome }) => outcome === 'differs') && <Text size="sm">{say.differsHint}</Text>}
          {wrong > 0 && wanted > 0 && (
            <Checkbox
              label={say.leaveOut(say.count[kind](formatNumber(wanted)), formatNumber(wrong))}
              checked={leavesOut}
              onChange={(event) => setLeavesOut(event.currentTarget.checked)}
            />
          )}
          {wanted === 0 ? (
            <Text size="sm">{wrong > 0 ? say.nothingRight : say.nothingNew}</Text>
          ) : (
            <Group>
              <Button disabled={isBlocked || !isComplete} onClick={() => void form.send(file)}>
                {say.send(say.count[kind](formatNumber(wanted)))}
              </Button>
              {isBlocked && <Text size="sm">{say.blocked}</Text>}
            </Group>
          )}
        </Stack>
      </Section>
      <MistakeTable documents={documents} table={form.source!.table} />
      <DocumentTable documents={documents} kind={kind} isDone={false} />
    </>
  );
}

function Done({
  documents,
  isWhole,
  form,
  kind,
}: {
  documents: ImportedDocument[];
  isWhole: boolean;
  form: Form;
  kind: ImportKind;
}) {
  const say = useWords(words);
  const wrong = documents.filter(({ outcome }) => outcome === 'refused').length;
  const isGood = isWhole && wrong === 0;
  return (
    <>
      <Section title={say.result}>
        <Stack gap="md">
          <Alert color={isGood ? 'green' : 'orange'} role="status" title={isGood ? say.done : say.notWhole}>
            {!isWhole && <div>{say.stoppedHint}</div>}
            {isWhole && wrong > 0 && <div>{say.refusedLater}</div>}
            <Link to={listOf[kind]}>{say.openList[kind]}</Link>
          </Alert>
          <Counts documents={documents} isDone />
          {!isGood && (
            <Group>
              <Button onClick={() => void form.check()}>{say.checkAgain}</Button>
            </Group>
          )}
        </Stack>
      </Section>
      <MistakeTable documents={documents} table={form.source!.table} />
      <DocumentTable documents={documents} kind={kind} isDone />
    </>
  );
}
