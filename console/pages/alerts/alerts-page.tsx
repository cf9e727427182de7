import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { alertsList } from '../../../contract/console/alerts.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { SecretOnce } from '../../kit/secret-once.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { CreateButton } from '../partners/create-button.tsx';
import { AlertHistory } from './alert-history.tsx';
import { RemoveDialog, RotateDialog } from './rule-dialogs.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleTable } from './rule-table.tsx';
import type { RuleDialog } from './rule-values.ts';
import { TestResults } from './test-results.tsx';
import { words } from './words.ts';

const everyMs = 10_000;

export function Component() {
  const say = useWords(words);
  const [dialog, setDialog] = useState<RuleDialog | null>(null);
  const asked = useAsk<typeof alertsList>('/alerts/list', {}, { topics: ['audit'], everyMs });
  const createButton = <CreateButton label={say.create} onClick={() => setDialog({ kind: 'form', rule: null })} />;
  const close = () => setDialog(null);
  const showSecret = (name: string, secret: string | null) =>
    setDialog(secret === null ? null : { kind: 'secret', name, secret });
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} actions={asked.answer && createButton} />
      <AskedContent asked={asked}>
        {(answer) => (
          <>
            {!answer.has_mail && (
              <Alert color="yellow" icon={<IconAlertTriangle size={16} />} p="sm" mb="md">
                {say.noMail}
              </Alert>
            )}
            <RuleTable rules={answer.rows} onDialog={setDialog} createButton={createButton} />
            {answer.rows.length > 0 && <AlertHistory rules={answer.rows} />}
            {dialog?.kind === 'form' && (
              <RuleForm rule={dialog.rule} known={answer} onClose={close} onDone={showSecret} />
            )}
          </>
        )}
      </AskedContent>
      {dialog?.kind === 'rotate' && <RotateDialog rule={dialog.rule} onClose={close} onDone={showSecret} />}
      {dialog?.kind === 'remove' && <RemoveDialog rule={dialog.rule} onClose={close} />}
      {dialog?.kind === 'tested' && <TestResults rule={dialog.rule} results={dialog.results} onClose={close} />}
      <SecretOnce
        secret={dialog?.kind === 'secret' ? dialog.secret : null}
        title={dialog?.kind === 'secret' ? say.secretTitle(dialog.name) : ''}
        label={say.secretLabel}
        onClose={close}
      >
        {say.secretUse}
      </SecretOnce>
    </>
  );
}
