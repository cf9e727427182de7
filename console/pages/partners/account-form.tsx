import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import type { accountsChange, accountsCreate, ListedAccount } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkOptionalUrl, checkTitle } from './field-checks.ts';
import { FormDialog, ownField, type PartnerFormProps, textField } from './form-dialog.tsx';
import { words } from './words.ts';

type Environment = ListedAccount['environment'];

/** Creates an account if `account` is null, and otherwise changes it. */
export function AccountForm({ account, ...dialog }: PartnerFormProps & { account: ListedAccount | null }) {
  const say = useWords(words);
  const create = useChange<typeof accountsCreate>('/accounts/create');
  const change = useChange<typeof accountsChange>('/accounts/change');
  return (
    <FormDialog
      {...dialog}
      title={account === null ? say.create.account : say.change.account(account.account_no)}
      isNew={account === null}
      nameOf={({ accountNo }) => say.accountNamed(accountNo)}
      fields={{
        accountNo: textField(say.accountNo, account?.account_no, checkName, { isName: true, maxLength: 64 }),
        environment: {
          ...ownField<Environment>('uat', (value, set) => <EnvironmentField value={value} onChange={set} />),
          isName: true,
        },
        name: textField(say.name, account?.name, checkTitle),
        warehouseApi: {
          kind: 'flag',
          label: say.warehouseApi,
          description: say.warehouseApiHint,
          first: account?.warehouse_api ?? true,
        },
        callbackUrl: textField(say.callbackUrl, account?.callback_url ?? '', checkOptionalUrl, {
          maxLength: 2048,
          description: say.callbackUrlHint,
        }),
      }}
      send={({ accountNo, environment, name, warehouseApi, callbackUrl }) => {
        const given = {
          account_no: accountNo,
          warehouse_api: warehouseApi,
          callback_url: callbackUrl === '' ? null : callbackUrl,
          ...(name !== '' && { name }),
        };
        return account === null ? create.run({ ...given, environment }) : change.run(given);
      }}
    />
  );
}

export function EnvironmentField({ value, onChange }: { value: Environment; onChange(value: Environment): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const labelId = useId();
  return (
    <Stack gap={3}>
      <Text size="xs" fw={500} id={labelId}>
        {say.environment}
      </Text>
      <SegmentedControl
        aria-labelledby={labelId}
        value={value}
        onChange={(chosen) => onChange(chosen as Environment)}
        data={(['uat', 'production'] as const).map((value) => ({ value, label: shared.environment[value] }))}
      />
      <Text size="xs" c="dimmed">
        {say.environmentFixed}
      </Text>
    </Stack>
  );
}
