import { MultiSelect, Radio, Stack } from '@mantine/core';
import type { ListedOperator, operatorsChange, operatorsCreate } from '../../../contract/console/operators.ts';
import type { OperatorRole } from '../../../contract/console/sessions.ts';
import { useWords } from '../../kit/language.tsx';
import { useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { checkName } from '../partners/field-checks.ts';
import { FormDialog, ownField, type PartnerFormProps, textField } from '../partners/form-dialog.tsx';
import { words } from './words.ts';

export const roles = ['admin', 'staff', 'read-only'] as const satisfies readonly OperatorRole[];

/** Creates an operator if `operator` is null, and otherwise changes it. */
export function OperatorForm({ operator, ...dialog }: PartnerFormProps & { operator: ListedOperator | null }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const warehouses = useWarehouseOptions() ?? [];
  const create = useChange<typeof operatorsCreate>('/operators/create');
  const change = useChange<typeof operatorsChange>('/operators/change');
  return (
    <FormDialog
      {...dialog}
      title={operator === null ? say.create : say.changeRoleOf(operator.username)}
      isNew={operator === null}
      nameOf={({ username }) => say.operatorNamed(username)}
      fields={{
        username: textField(say.username, operator?.username, checkName, { isName: true, maxLength: 64 }),
        role: ownField<OperatorRole>(operator?.role ?? 'staff', (value, set) => (
          <Radio.Group label={say.role} value={value} onChange={(chosen) => set(chosen as OperatorRole)}>
            <Stack gap="xs" mt="xs">
              {roles.map((one) => (
                <Radio key={one} size="xs" value={one} label={shared.role[one]} description={say.roleHint[one]} />
              ))}
            </Stack>
          </Radio.Group>
        )),
        warehouse_nos: ownField<number[]>(operator?.warehouse_nos ?? [], (value, set) => (
          <MultiSelect
            label={say.warehouses}
            description={say.warehousesHint}
            placeholder={value.length === 0 ? say.allWarehouses : ''}
            clearable
            data={warehouses}
            value={value.map(String)}
            onChange={(chosen) => set(chosen.map(Number))}
          />
        )),
      }}
      send={(given) => (operator === null ? create.run(given) : change.run(given))}
    />
  );
}
