import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ListedOperator, operatorsChange, operatorsCreate } from '../../../contract/console/operators.ts';
import type { OperatorRole } from '../../../contract/console/session.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { checkName } from '../partners/field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields } from '../partners/form-dialog.tsx';
import { words } from './words.ts';

export const roles = ['admin', 'staff', 'read-only'] as const satisfies readonly OperatorRole[];

/** Without an operator: a new one. */
export function OperatorForm({ operator, ...dialog }: PartnerFormProps & { operator: ListedOperator | null }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const fields = useFormFields({ username: operator?.username ?? '' }, { username: checkName });
  const [role, setRole] = useState<OperatorRole>(operator?.role ?? 'staff');
  const create = useChange<typeof operatorsCreate>('/operators/create');
  const change = useChange<typeof operatorsChange>('/operators/change');
  const { username } = fields.values;
  const send = () => (operator === null ? create.run({ username, role }) : change.run({ username, role }));
  return (
    <FormDialog
      {...dialog}
      title={operator === null ? say.create : say.changeRoleOf(operator.username)}
      isNew={operator === null}
      name={say.operatorNamed(username)}
      check={fields.check}
      send={send}
    >
      {operator === null && (
        <TextInput data-autofocus required label={say.username} maxLength={64} spellCheck={false} {...fields.text('username')} />
      )}
      <Radio.Group label={say.role} value={role} onChange={(chosen) => setRole(chosen as OperatorRole)}>
        <Stack gap="xs" mt="xs">
          {roles.map((one) => (
            <Radio key={one} size="xs" value={one} label={shared.role[one]} description={say.roleHint[one]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
