import { Checkbox, Group, Stack, Text } from '@mantine/core';
import type {
  ClientPermission,
  clientsChange,
  clientsCreate,
  ListedClient,
} from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkPicked } from './field-checks.ts';
import { FormDialog, ownField, type PartnerFormProps, pickField, textField } from './form-dialog.tsx';
import { AccountSelect } from './partner-selects.tsx';
import { words } from './words.ts';

/** The order in which the form shows them. */
export const permissionsInOrder = [
  'stocks.read',
  'stocks.write',
  'products.read',
  'products.write',
  'orders.read',
  'orders.write',
  'orders.recipients',
  'inbounds.read',
  'inbounds.write',
  'fulfilment.write',
  'callbacks.read',
  'callbacks.write',
] as const satisfies readonly ClientPermission[];

/** Creates a client if `client` is null, and otherwise changes it. With `accountNo`, the account is fixed. */
export function ClientForm({
  accountNo,
  client,
  ...dialog
}: PartnerFormProps & { accountNo: string | null; client: ListedClient | null }) {
  const say = useWords(words);
  const create = useChange<typeof clientsCreate>('/clients/create');
  const change = useChange<typeof clientsChange>('/clients/change');
  return (
    <FormDialog
      {...dialog}
      title={client === null ? say.create.client : say.change.client(client.client_id)}
      isNew={client === null}
      nameOf={({ clientId }) => `${say.client} ${clientId}`}
      fields={{
        clientId: textField(say.clientId, client?.client_id, checkName, { isName: true, maxLength: 64 }),
        account: {
          ...pickField(AccountSelect, client?.account_no ?? accountNo ?? '', checkPicked),
          isName: true,
          isHidden: accountNo !== null,
        },
        permissions: ownField<ClientPermission[]>(client?.permissions ?? [], (value, set) => (
          <PermissionsField value={value} onChange={set} />
        )),
      }}
      send={({ clientId, account, permissions }) => {
        const given = { client_id: clientId, permissions };
        return client === null ? create.run({ ...given, account_no: account }) : change.run(given);
      }}
    />
  );
}

interface PermissionsFieldProps {
  value: ClientPermission[];
  onChange(value: ClientPermission[]): void;
}

export function PermissionsField({ value, onChange }: PermissionsFieldProps) {
  const say = useWords(words);
  return (
    <Checkbox.Group label={say.permissions} value={value} onChange={(chosen) => onChange(chosen as ClientPermission[])}>
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
  );
}
