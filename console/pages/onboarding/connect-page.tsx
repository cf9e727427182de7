import { Alert, Button, Group, Paper, Stack, Stepper } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useMay } from '../../kit/session.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { AccessStep } from './access-step.tsx';
import { AccountStep } from './account-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { wizardSteps } from './connect-values.ts';
import { GoodsStep } from './goods-step.tsx';
import { useConnectForm } from './use-connect-form.ts';
import { words } from './words.ts';

const stepContents = { account: AccountStep, goods: GoodsStep, access: AccessStep, confirm: ConfirmStep };

/** Creates everything that a partner needs, in four steps with defaults and one confirmation. */
export function Component() {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const form = useConnectForm();
  const element = useRef<HTMLFormElement>(null);
  const mayCreate = useMay('admin');
  const Content = stepContents[form.step];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isFine = form.step === 'confirm' ? await form.confirm() : form.next();
    if (!isFine) setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <>
      <PageHeader back={{ to: '/partners', label: partners.title }} title={say.wizard} subtitle={say.wizardHint} />
      <Paper withBorder p="lg" maw={760}>
        <Stepper active={wizardSteps.indexOf(form.step)} size="xs" mb="lg" iconSize={28} allowNextStepsSelect={false}>
          {wizardSteps.map((step) => (
            <Stepper.Step key={step} label={say.step[step]} onClick={() => form.goBackTo(step)} />
          ))}
        </Stepper>
        <form ref={element} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
          <Stack gap="md">
            {mayCreate ? <Content form={form} /> : <Alert color="gray">{partners.empty.look}</Alert>}
            {form.notice && (
              <Alert color="red" role="alert" p="sm">
                {form.notice}
              </Alert>
            )}
            {mayCreate && (
              <Group justify="space-between">
                <Button variant="default" disabled={form.step === 'account'} onClick={form.back}>
                  {say.back}
                </Button>
                <Button type="submit" loading={form.isSending}>
                  {form.step === 'confirm' ? say.create : say.next}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Paper>
    </>
  );
}
