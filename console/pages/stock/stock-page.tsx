import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { BlockExpired } from './block-expired.tsx';
import { LotList } from './lot-list.tsx';
import { SkuList } from './sku-list.tsx';
import { accountsIn, StockTiles } from './stock-tiles.tsx';
import { words } from './words.ts';

export function Component() {
  const say = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const isBySku = parameters.get('view') === 'sku';
  const show = (view: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      if (view === 'sku') after.set('view', 'sku');
      else after.delete('view');
      return after;
    });
  const views = (
    <SegmentedControl
      aria-label={say.view}
      value={isBySku ? 'sku' : 'lot'}
      onChange={show}
      data={[
        { value: 'lot', label: say.byLot },
        { value: 'sku', label: say.bySku },
      ]}
    />
  );
  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="stock" />
            <BlockExpired accounts={accountsIn(parameters)} />
          </>
        }
      />
      <StockTiles />
      <AuditPanel />
      {isBySku ? <SkuList toolbar={views} /> : <LotList toolbar={views} />}
    </>
  );
}
