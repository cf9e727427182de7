import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type {
  AlertRuleProblem,
  AlertRules,
  alertsChange,
  alertsCreate,
  ListedAlertRule,
} from '../../../contract/console/alerts.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { ChannelFields, ConditionFields, QuietFields, ThresholdFields } from './rule-fields.tsx';
import { bodyOf, draftOf, mistakesIn, problemText, type RuleDraft } from './rule-values.ts';
import { words } from './words.ts';

interface RuleFormProps {
  /** null: a new one. */
  rule: ListedAlertRule | null;
  known: AlertRules;
  onClose(): void;
  onDone(name: string, secret: string | null): void;
}

/** Creates or changes a rule. Mistakes are shown after the first attempt to send. */
export function RuleForm({ rule, known, onClose, onDone }: RuleFormProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { draft, set, mistakes, problems, submit, isSending, form } = useRuleForm(rule, onDone);
  const fields = { draft, set, mistakes };
  useFocusBack();
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={rule === null ? say.create : say.changeOf(rule.name)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <form ref={form} onSubmit={submit} noValidate autoComplete="off">
        <Stack gap="md">
          <TextInput
            data-autofocus
            required
            label={say.nameLabel}
            placeholder={say.namePlaceholder}
            maxLength={200}
            value={draft.name}
            error={mistakes.name && say.mistake[mistakes.name]}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <ChannelFields {...fields} hasMail={known.has_mail} />
          <ConditionFields {...fields} known={known} />
          <ThresholdFields {...fields} />
          <QuietFields {...fields} />
          <Checkbox
            label={say.enabled}
            checked={draft.enabled}
            onChange={(event) => set({ enabled: event.currentTarget.checked })}
          />
          {problems.length > 0 && (
            <Alert color="red" role="alert" p="sm">
              {problemText(problems, say)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {shared.verb.close}
            </Button>
            <Button type="submit" loading={isSending}>
              {rule === null ? say.createVerb : shared.verb.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useRuleForm(rule: ListedAlertRule | null, onDone: RuleFormProps['onDone']) {
  const say = useWords(words);
  const notices = useNotices();
  const { language } = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<RuleDraft>(() => draftOf(rule, language));
  const [isTried, setTried] = useState(false);
  const [problems, setProblems] = useState<AlertRuleProblem[]>([]);
  const create = useChange<typeof alertsCreate>('/alerts/create');
  const change = useChange<typeof alertsChange>('/alerts/change');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (create.isRunning || change.isRunning) return;
    setTried(true);
    if (Object.keys(mistakesIn(draft)).length > 0) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const body = bodyOf(draft);
    const answer =
      rule === null ? await create.run(body) : await change.run({ ...body, alert_rule_id: rule.alert_rule_id });
    if (answer === undefined) return;
    if (answer.kind === 'refused') setProblems(answer.problems);
    else if (answer.kind === 'not_found') notices.refused(say.notFound);
    else {
      notices.done(answer.kind === 'created' ? say.created(body.name) : say.changed(body.name));
      onDone(body.name, answer.secret);
    }
  };
  return {
    form,
    draft,
    set: (changes: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changes })),
    mistakes: isTried ? mistakesIn(draft) : {},
    problems,
    submit: (event: FormEvent) => void submit(event),
    isSending: create.isRunning || change.isRunning,
  };
}
