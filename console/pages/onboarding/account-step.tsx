import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useWords } from '../../kit/language.tsx';
import { EnvironmentField } from '../partners/account-form.tsx';
import { words as partnerWords } from '../partners/words.ts';
import type { ConnectForm } from './use-connect-form.ts';
import { words } from './words.ts';

const apis = [
  ['warehouseApi', 'warehouse'],
  ['mainApi', 'main'],
  ['logistics', 'logistics'],
] as const;

export function AccountStep({ form: { values, set, errorOf } }: { form: ConnectForm }) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  return (
    <>
      <EnvironmentField value={values.environment} onChange={(environment) => set({ environment })} />
      <TextInput
        data-autofocus
        required
        label={partners.accountNo}
        value={values.accountNo}
        maxLength={64}
        spellCheck={false}
        error={errorOf('accountNo')}
        onChange={(typed) => set({ accountNo: typed.currentTarget.value })}
      />
      <TextInput
        label={say.name}
        value={values.name}
        maxLength={200}
        error={errorOf('name')}
        onChange={(typed) => set({ name: typed.currentTarget.value })}
      />
      <Checkbox.Group
        label={say.apis}
        value={apis.flatMap(([field, api]) => (values[field] ? [api] : []))}
        error={errorOf('warehouseApi')}
        onChange={(chosen) => set(Object.fromEntries(apis.map(([field, api]) => [field, chosen.includes(api)])))}
      >
        <Stack gap="xs" mt="xs">
          {apis.map(([, api]) => (
            <Checkbox key={api} value={api} label={say.api[api]} description={say.apiHint[api]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
