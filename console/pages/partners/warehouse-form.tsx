import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Connector, ListedWarehouse, warehousesChange, warehousesCreate } from '../../../contract/console/partner-places.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkNumber, checkPercent, checkSeconds, checkTitle, checkUrl } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields, WholeNumberInput } from './form-dialog.tsx';
import { words } from './words.ts';

const connectorTypes = ['manual', 'http', 'simulator'] as const;

/** Without a warehouse: a new one. */
export function WarehouseForm({ warehouse, ...dialog }: PartnerFormProps & { warehouse: ListedWarehouse | null }) {
  const say = useWords(words);
  const connector = warehouse?.connector ?? { type: 'manual' as const };
  const simulator = connector.type === 'simulator' ? connector : null;
  const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));
  const [type, setType] = useState<Connector['type']>(connector.type);
  const fields = useFormFields(
    {
      number: warehouse ? String(warehouse.warehouse_no) : '',
      name: warehouse?.name ?? '',
      url: connector.type === 'http' ? connector.url : '',
      step: textOf(simulator?.step_s),
      shortPicks: textOf(simulator?.short_pick_percent),
      delays: textOf(simulator?.delay_percent),
      every: textOf(warehouse?.transfer_every_s),
    },
    {
      number: checkNumber,
      name: checkTitle,
      url: (text) => (type === 'http' ? checkUrl(text) : null),
      step: checkSeconds,
      shortPicks: checkPercent,
      delays: checkPercent,
      every: checkSeconds,
    },
  );
  const create = useChange<typeof warehousesCreate>('/warehouses/create');
  const change = useChange<typeof warehousesChange>('/warehouses/change');
  const { number, name, every } = fields.values;

  const send = () => {
    const given = {
      warehouse_no: Number(number),
      ...(name !== '' && { name }),
      connector: connectorOf(type, fields.values),
      ...(every !== '' && { transfer_every_s: Number(every) }),
    };
    return warehouse === null ? create.run(given) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={warehouse === null ? say.create.warehouse : say.change.warehouse(`${warehouse.warehouse_no} ${warehouse.name}`)}
      isNew={warehouse === null}
      name={`${say.warehouse} ${number}`}
      check={fields.check}
      send={send}
    >
      {warehouse === null && <WholeNumberInput data-autofocus required label={say.warehouseNo} {...fields.text('number')} />}
      <TextInput label={say.name} maxLength={200} {...fields.text('name')} />
      <Select
        label={say.connector}
        data={connectorTypes.map((value) => ({ value, label: say.connectorType[value] }))}
        value={type}
        onChange={(picked) => setType((picked ?? 'manual') as Connector['type'])}
        allowDeselect={false}
      />
      {type === 'http' && <TextInput required label={say.url} description={say.urlHint} spellCheck={false} {...fields.text('url')} />}
      {type === 'simulator' && (
        <SimpleGrid cols={3}>
          <WholeNumberInput label={say.stepSeconds} {...fields.text('step')} />
          <WholeNumberInput label={say.shortPickPercent} {...fields.text('shortPicks')} />
          <WholeNumberInput label={say.delayPercent} {...fields.text('delays')} />
        </SimpleGrid>
      )}
      <WholeNumberInput label={say.transferEvery} placeholder="60" {...fields.text('every')} />
    </FormDialog>
  );
}

function connectorOf(
  type: Connector['type'],
  { url, step, shortPicks, delays }: Record<'url' | 'step' | 'shortPicks' | 'delays', string>,
): Connector {
  if (type === 'http') return { type: 'http', url };
  if (type !== 'simulator') return { type: 'manual' };
  return {
    type: 'simulator',
    ...(step !== '' && { step_s: Number(step) }),
    ...(shortPicks !== '' && { short_pick_percent: Number(shortPicks) }),
    ...(delays !== '' && { delay_percent: Number(delays) }),
  };
}
