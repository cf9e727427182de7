import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallbackDetail } from '../../../contract/console/callbacks.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { Time } from '../../kit/time.tsx';
import { CodeBlock } from './code-block.tsx';
import classes from './sent-content.module.css';
import { words } from './words.ts';

const forms = ['pretty', 'raw'] as const;

/** The request as the receiver gets it, without the value of the signature, and with the partner's note masked. */
export function SentContent({ callback: { url, headers, body, body_erased_at } }: { callback: CallbackDetail }) {
  const say = useWords(words);
  const [form, setForm] = useState<(typeof forms)[number]>('pretty');
  return (
    <Section
      title={say.sectionSent}
      actions={
        body_erased_at === null && (
          <Group gap="xs" wrap="nowrap">
            <SegmentedControl
              aria-label={say.bodyForm}
              value={form}
              onChange={setForm}
              data={forms.map((value) => ({ value, label: say[value] }))}
            />
            <CopyButton value={body} label={say.body} />
          </Group>
        )
      }
    >
      <div className={classes.target}>
        <strong>{'POST'}</strong> {url}
      </div>
      <dl className={classes.headers}>
        {headers.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-made={value === null || undefined}>{value ?? say.perTry}</dd>
          </div>
        ))}
      </dl>
      {body_erased_at === null ? (
        <>
          <CodeBlock label={say.body} text={form === 'pretty' ? readable(body) : body} />
          <Text size="sm" c="dimmed" mt="xs">
            {say.bodyMasked}
          </Text>
        </>
      ) : (
        <Text size="sm">
          {say.bodyErased} <Time at={body_erased_at} absolute />
        </Text>
      )}
    </Section>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
