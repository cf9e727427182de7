import { Group, Radio, TextInput } from '@mantine/core';
import { useWords } from '../../kit/language.tsx';
import { PermissionsField } from '../partners/client-form.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { type PresetName, permissionsOf, presetNames, presetOf } from './presets.ts';
import type { ConnectForm } from './use-connect-form.ts';
import { words } from './words.ts';

export function AccessStep({ form }: { form: ConnectForm }) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const { values, set, errorOf } = form;
  return (
    <>
      {values.mainApi && (
        <>
          <TextInput
            required
            label={partners.clientId}
            value={values.clientId}
            maxLength={64}
            spellCheck={false}
            error={errorOf('clientId')}
            onChange={(typed) => set({ clientId: typed.currentTarget.value })}
          />
          <PresetField form={form} />
          <PermissionsField
            value={values.permissions}
            onChange={(permissions) => set({ permissions, preset: presetOf(permissions) })}
          />
        </>
      )}
      {values.logistics && (
        <TextInput
          required
          label={`${partners.key}: ${partners.keyName}`}
          value={values.keyName}
          maxLength={64}
          spellCheck={false}
          error={errorOf('keyName')}
          onChange={(typed) => set({ keyName: typed.currentTarget.value })}
        />
      )}
      <TextInput
        label={partners.callbackUrl}
        description={`${say.callbackHint} ${say.testLater}`}
        value={values.callbackUrl}
        maxLength={2048}
        spellCheck={false}
        error={errorOf('callbackUrl')}
        onChange={(typed) => set({ callbackUrl: typed.currentTarget.value })}
      />
    </>
  );
}

function PresetField({ form: { values, set } }: { form: ConnectForm }) {
  const say = useWords(words);
  const choose = (preset: string) => {
    if (preset !== 'own') set({ preset: preset as PresetName, permissions: permissionsOf[preset as PresetName] });
  };
  const choices = values.preset === 'own' ? ([...presetNames, 'own'] as const) : presetNames;
  return (
    <Radio.Group label={say.preset} value={values.preset} onChange={choose}>
      <Group gap="md" mt="xs">
        {choices.map((name) => (
          <Radio key={name} value={name} size="xs" label={say.presetName[name]} />
        ))}
      </Group>
    </Radio.Group>
  );
}
