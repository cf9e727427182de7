import { Checkbox, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { accountsChange, accountsCreate, ListedAccount } from '../../../contract/console/accounts.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkTitle } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields } from './form-dialog.tsx';
import { words } from './words.ts';

/** Without an account: a new one. */
export function AccountForm({ account, ...dialog }: PartnerFormProps & { account: ListedAccount | null }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const environmentId = useId();
  const fields = useFormFields(
    { accountNo: account?.account_no ?? '', name: account?.name ?? '' },
    { accountNo: checkName, name: checkTitle },
  );
  const [environment, setEnvironment] = useState<'uat' | 'production'>('uat');
  const [warehouseApi, setWarehouseApi] = useState(account?.warehouse_api ?? true);
  const create = useChange<typeof accountsCreate>('/accounts/create');
  const change = useChange<typeof accountsChange>('/accounts/change');
  const { accountNo, name } = fields.values;

  const send = () => {
    const given = { account_no: accountNo, warehouse_api: warehouseApi, ...(name !== '' && { name }) };
    return account === null ? create.run({ ...given, environment }) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={account === null ? say.create.account : say.change.account(account.account_no)}
      isNew={account === null}
      name={say.accountNamed(accountNo)}
      check={fields.check}
      send={send}
    >
      {account === null && (
        <>
          <TextInput data-autofocus required label={say.accountNo} maxLength={64} spellCheck={false} {...fields.text('accountNo')} />
          <Stack gap={3}>
            <Text size="xs" fw={500} id={environmentId}>
              {say.environment}
            </Text>
            <SegmentedControl
              aria-labelledby={environmentId}
              value={environment}
              onChange={(chosen) => setEnvironment(chosen as typeof environment)}
              data={(['uat', 'production'] as const).map((value) => ({ value, label: shared.environment[value] }))}
            />
            <Text size="xs" c="dimmed">
              {say.environmentFixed}
            </Text>
          </Stack>
        </>
      )}
      <TextInput label={say.name} maxLength={200} {...fields.text('name')} />
      <Checkbox
        label={say.warehouseApi}
        description={say.warehouseApiHint}
        checked={warehouseApi}
        onChange={(event) => setWarehouseApi(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
