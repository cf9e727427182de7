import { Anchor, Text } from '@mantine/core';
import type { partnersAddresses } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { words } from './words.ts';

/** The URLs that a partner's developers need, in addition to the secret. */
export function ConnectSection() {
  const say = useWords(words);
  const asked = useAsk<typeof partnersAddresses>('/partners/addresses', {});
  return (
    <Section title={say.connect}>
      <Text size="sm" c="dimmed" mb="sm">
        {say.connectHint}{' '}
        <Anchor href="/docs" target="_blank" rel="noopener" underline="always" inherit>
          {say.docs}
        </Anchor>
      </Text>
      <AskedContent asked={asked} lines={2}>
        {({ main_url, token_url, warehouse_url, logistics_url }) => (
          <Facts
            facts={[
              { label: say.warehouseUrl, value: <IdText value={warehouse_url} label={say.warehouseUrl} />, wide: true },
              { label: say.mainUrl, value: <IdText value={main_url} label={say.mainUrl} />, wide: true },
              { label: say.tokenUrl, value: <IdText value={token_url} label={say.tokenUrl} />, wide: true },
              { label: say.logisticsUrl, value: <IdText value={logistics_url} label={say.logisticsUrl} />, wide: true },
            ]}
          />
        )}
      </AskedContent>
    </Section>
  );
}
