import { Alert, Button, FileButton, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ProductImportAnswer, productImport, productImportPreview } from '../../../contract/console/products.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { ImportMistakes, ImportPreview } from './import-preview.tsx';
import classes from './products.module.css';
import { words } from './words.ts';

const charactersMax = 300_000;
const example = 'sku_id,code,units,warehouse_no,location\nTEA-1,4710000000017,1,1,A-02-13\nTEA-1,14710000000014,12,,';

/** Imports codes and locations of products: the text is checked first, and what it would change is shown. */
export function Component() {
  const say = useWords(words);
  const mayChange = useMay('staff');
  return (
    <>
      <PageHeader
        back={{ to: '/products', label: say.title }}
        title={say.import.title}
        subtitle={say.import.subtitle}
      />
      {mayChange ? <ImportForm /> : <Text>{say.import.notAllowed}</Text>}
    </>
  );
}

function ImportForm() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const accounts = useAccountOptions();
  const form = useImport();
  return (
    <>
      <Section title={say.import.file}>
        <Stack gap="sm">
          <Select
            label={shared.noun.account}
            className={classes.account ?? ''}
            searchable
            required
            data={accounts ?? []}
            value={form.account}
            onChange={form.setAccount}
          />
          <Textarea
            label={say.import.text}
            description={say.import.columns}
            placeholder={example}
            classNames={{ input: classes.file ?? '' }}
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            value={form.text}
            onChange={(event) => form.setText(event.currentTarget.value)}
          />
          <Group gap="sm">
            <FileButton
              resetRef={form.resetFile}
              accept=".csv,.tsv,.txt,text/csv"
              onChange={(file) => void form.read(file)}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {say.import.choose}
                </Button>
              )}
            </FileButton>
            <Button
              loading={form.isChecking}
              disabled={form.account === null || form.text.trim() === ''}
              onClick={() => void form.check()}
            >
              {say.import.check}
            </Button>
          </Group>
        </Stack>
      </Section>
      <ImportResult form={form} />
    </>
  );
}

function ImportResult({ form }: { form: ReturnType<typeof useImport> }) {
  const say = useWords(words);
  const { answer, isDone } = form;
  if (answer === null) return null;
  if (answer.kind === 'refused') return <ImportMistakes {...answer} />;
  return (
    <ImportPreview answer={answer} isDone={isDone}>
      {isDone ? (
        <Alert color="green" role="status" title={say.import.done}>
          <Link to="/products">{say.title}</Link>
        </Alert>
      ) : (
        <Button loading={form.isImporting} disabled={answer.changed_products === 0} onClick={() => void form.send()}>
          {say.import.send(formatNumber(answer.changed_products))}
        </Button>
      )}
    </ImportPreview>
  );
}

function useImport() {
  const say = useWords(words);
  const notices = useNotices();
  const [account, setAccount] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [answer, setAnswer] = useState<ProductImportAnswer | null>(null);
  const [isDone, setDone] = useState(false);
  const resetFile = useRef<() => void>(null);
  const preview = useChange<typeof productImportPreview>('/products/import-preview', { onAnswer: setAnswer });
  const apply = useChange<typeof productImport>('/products/import', {
    onAnswer: (given) => {
      setAnswer(given);
      setDone(given.kind === 'imported');
    },
  });
  // A preview is good only for the text and the account that were checked.
  const forget = () => {
    setAnswer(null);
    setDone(false);
  };
  const isTooLong = () => {
    if (text.length > charactersMax) notices.refused(say.import.tooLong(formatNumber(charactersMax)));
    return text.length > charactersMax;
  };
  const body = () => ({ account_no: account!, text });
  return {
    ...{ account, text, answer, isDone, resetFile },
    isChecking: preview.isRunning,
    isImporting: apply.isRunning,
    setAccount: (chosen: string | null) => {
      forget();
      setAccount(chosen);
    },
    setText: (typed: string) => {
      forget();
      setText(typed);
    },
    read: async (file: File | null) => {
      if (file === null) return;
      forget();
      const content = await readText(file);
      if (content === null) notices.refused(say.import.notText(file.name));
      else setText(content);
      // The same file can be chosen again after it was corrected.
      resetFile.current?.();
    },
    check: async () => {
      forget();
      if (!isTooLong()) await preview.run(body());
    },
    send: () => apply.run(body()),
  };
}

/** null: it is not UTF-8. Decoding it as something else could change locations without notice. */
async function readText(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
