import { Text } from '@mantine/core';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { words as partnerWords } from '../partners/words.ts';
import { newStore } from './connect-values.ts';
import { HoursField, LanguageField } from './link-fields.tsx';
import type { ConnectForm } from './use-connect-form.ts';
import { words } from './words.ts';

export function ConfirmStep({ form: { values, set } }: { form: ConnectForm }) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const shared = useWords(sharedWords);
  const warehouse = labelOf(useWarehouseOptions(), Number(values.warehouseNo));
  const store = values.storeNo === newStore ? `${values.newStoreNo} ${values.newStoreName}`.trim() : values.storeNo;
  const permissions =
    values.preset === 'own'
      ? partners.permissionsCount(String(values.permissions.length))
      : say.presetName[values.preset];
  return (
    <>
      <Text size="sm">{say.willBeCreated}</Text>
      <Facts
        facts={[
          { label: partners.account, value: `${values.accountNo} ${values.name}`.trim() },
          { label: partners.environment, value: shared.environment[values.environment] },
          { label: partners.tenant, value: `${values.tenantId} → ${warehouse}` },
          { label: values.storeNo === newStore ? say.newStore : partners.store, value: store },
          values.warehouseApi && { label: say.api.warehouse, value: partners.secretName.account_secret },
          values.mainApi && { label: say.api.main, value: `${values.clientId} · ${permissions}` },
          values.logistics && { label: say.api.logistics, value: values.keyName },
          { label: partners.callbackUrl, value: values.callbackUrl.trim() || partners.callbackUrlNone, wide: true },
        ]}
      />
      <HoursField value={values.hours} onChange={(hours) => set({ hours })} />
      <LanguageField value={values.language} onChange={(language) => set({ language })} />
    </>
  );
}
