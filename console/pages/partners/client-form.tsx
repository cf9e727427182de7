import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ClientPermission, clientsChange, clientsCreate, ListedClient } from '../../../contract/console/partner-clients.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkPicked } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields } from './form-dialog.tsx';
import { AccountSelect } from './partner-selects.tsx';
import { words } from './words.ts';

/** In the order in which a person thinks of them. */
export const permissionsInOrder = [
  'stocks.read',
  'products.read',
  'orders.read',
  'orders.write',
  'inbounds.read',
  'inbounds.write',
  'fulfilment.write',
  'callbacks.read',
  'callbacks.write',
] as const satisfies readonly ClientPermission[];

/** Without a client: a new one, of this account where it is given. */
export function ClientForm({ accountNo, client, ...dialog }: PartnerFormProps & { accountNo: string | null; client: ListedClient | null }) {
  const say = useWords(words);
  const fields = useFormFields(
    { clientId: client?.client_id ?? '', account: client?.account_no ?? accountNo ?? '' },
    { clientId: checkName, account: checkPicked },
  );
  const [permissions, setPermissions] = useState<string[]>(client?.permissions ?? []);
  const create = useChange<typeof clientsCreate>('/clients/create');
  const change = useChange<typeof clientsChange>('/clients/change');
  const { clientId, account } = fields.values;

  const send = () => {
    const given = { client_id: clientId, permissions: permissions as ClientPermission[] };
    return client === null ? create.run({ ...given, account_no: account }) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={client === null ? say.create.client : say.change.client(client.client_id)}
      isNew={client === null}
      name={`${say.client} ${clientId}`}
      check={fields.check}
      send={send}
    >
      {client === null && (
        <>
          <TextInput data-autofocus required label={say.clientId} maxLength={64} spellCheck={false} {...fields.text('clientId')} />
          {accountNo === null && <AccountSelect {...fields.pick('account')} />}
        </>
      )}
      <Checkbox.Group label={say.permissions} value={permissions} onChange={setPermissions}>
        <Stack gap="xs" mt="xs">
          {permissionsInOrder.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={
                <Group gap="xs" component="span">
                  {say.permission[permission]}
                  <Text component="span" size="xs" c="dimmed" ff="monospace">
                    {permission}
                  </Text>
                </Group>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
