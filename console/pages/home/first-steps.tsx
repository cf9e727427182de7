import { Anchor, Text } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { HomeAttention } from '../../../contract/console/home.ts';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import classes from './first-steps.module.css';
import { words } from './words.ts';

/** A checklist for a new service that has no orders yet. */
export function FirstSteps({ steps }: { steps: HomeAttention['first_steps'] }) {
  const say = useWords(words);
  const all = [
    { text: say.firstAccounts, isDone: steps.has_accounts },
    { text: say.firstProducts, isDone: steps.has_products },
    { text: say.firstOrders, isDone: steps.has_orders },
  ];
  return (
    <Section title={say.firstTitle}>
      <Text size="sm">{say.firstHint}</Text>
      <ol className={classes.steps}>
        {all.map(({ text, isDone }) => (
          <li key={text} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheck size={17} role="img" aria-label={say.stepDone} />
            ) : (
              <IconCircle size={17} role="img" aria-label={say.stepOpen} />
            )}
            {text}
          </li>
        ))}
      </ol>
      <div className={classes.links}>
        <Anchor component={Link} to="/partners" size="sm">
          {say.firstPartners}
        </Anchor>
        <Anchor href="/docs" size="sm">
          {say.firstDocs}
        </Anchor>
      </div>
    </Section>
  );
}
