import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { accountsProgress, FirstStep } from '../../../contract/console/onboarding.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { words as callbackWords } from '../callbacks/words.ts';
import classes from './first-steps.module.css';
import { words } from './words.ts';

/** Documents and products change often, so the page asks again instead of waiting for news of everything. */
const everyMs = 10_000;

export function useProgress(accountNo: string) {
  return useAsk<typeof accountsProgress>('/accounts/progress', { account_no: accountNo }, { everyMs });
}

/** How far a partner has come, and what keeps it from going on. */
export function FirstSteps({ accountNo }: { accountNo: string }) {
  const say = useWords(words);
  const asked = useProgress(accountNo);
  const steps = asked.answer?.steps;
  const done = steps?.filter((step) => step.done !== null).length;
  const count = steps && <Text size="sm">{say.stepsDone(String(done), String(steps.length))}</Text>;
  return (
    <Section title={say.steps} actions={count}>
      <AskedContent asked={asked} lines={5}>
        {(answer) => (
          <>
            <ol className={classes.steps}>
              {answer.steps.map((step) => (
                <li key={step.kind} data-step={step.kind} data-done={step.done !== null || undefined}>
                  <StatusBadge tone={step.done === null ? 'todo' : 'done'}>
                    {step.done?.is_test ? say.testCallbackStep : say.firstStep[step.kind]}
                  </StatusBadge>
                  <div className={classes.detail}>
                    {step.done === null ? <Open step={step} /> : <Done step={step} />}
                  </div>
                </li>
              ))}
            </ol>
            <Text size="xs" c="dimmed" mt="sm">
              {say.stepsHint}
            </Text>
          </>
        )}
      </AskedContent>
    </Section>
  );
}

function Done({ step: { kind, done } }: { step: FirstStep }) {
  const say = useWords(words);
  const events: Record<string, string> = useWords(callbackWords).event;
  if (done === null) return null;
  const { at, id, trace_id, name } = done;
  const to = {
    call: trace_id && `/requests/${trace_id}`,
    product: `/products/${id}`,
    inbound: `/inbound/${id}`,
    order: `/orders/${id}`,
    callback: `/callbacks/${id}`,
  }[kind];
  const apis: Record<string, string> = say.api;
  const shown =
    name === null ? null : ((kind === 'call' ? apis[name] : kind === 'callback' ? events[name] : null) ?? name);
  return (
    <Text size="sm" component="div">
      <Time at={at} absolute />{' '}
      {shown !== null &&
        (to ? (
          <Anchor component={Link} to={to} inherit underline="always">
            {shown}
          </Anchor>
        ) : (
          shown
        ))}
    </Text>
  );
}

function Open({ step: { kind, obstacle } }: { step: FirstStep }) {
  const say = useWords(words);
  return (
    <>
      <Text size="sm" c="dimmed">
        {say.todo[kind]}
      </Text>
      {obstacle?.kind === 'calls' && (
        <Text size="sm" component="div">
          <Anchor component={Link} to={`/requests/${obstacle.trace_id}`} inherit underline="always">
            {say.obstacle(formatNumber(obstacle.count), obstacle.endpoint, String(obstacle.status))}
          </Anchor>{' '}
          {obstacle.reason !== null && <ServerText text={obstacle.reason} />} <Time at={obstacle.last_at} />
        </Text>
      )}
      {obstacle?.kind === 'callback' && (
        <Text size="sm" component="div">
          <Anchor component={Link} to={`/callbacks/${obstacle.callback_id}`} inherit underline="always">
            {say.undelivered(obstacle.http_status === null ? say.noResponse : String(obstacle.http_status))}
          </Anchor>{' '}
          {obstacle.reason !== null && <ServerText text={obstacle.reason} />} <Time at={obstacle.last_at} />
        </Text>
      )}
    </>
  );
}
