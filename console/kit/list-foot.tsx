import { Button } from '@mantine/core';
import classes from './data-table.module.css';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import { sharedWords } from './shared-words.ts';
import type { LiveList } from './use-live-list.ts';
import { words } from './words.ts';

/** The number of rows shown and in total, and a button for more. */
export function ListFoot({
  list,
}: {
  list: Pick<LiveList<unknown>, 'rows' | 'counts' | 'hasMore' | 'isLoadingMore' | 'loadMore'>;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const shown = formatNumber(list.rows.length);
  return (
    <div className={classes.foot}>
      <span>{list.hasMore ? someShown(list, say) : say.allShown(shown)}</span>
      {list.hasMore && (
        <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {shared.verb.loadMore}
        </Button>
      )}
    </div>
  );
}

function someShown(
  { rows, counts }: Pick<LiveList<unknown>, 'rows' | 'counts' | 'hasMore' | 'isLoadingMore' | 'loadMore'>,
  say: (typeof words)['en'],
): string {
  const shown = formatNumber(rows.length);
  if (counts === null || (counts.total.is_more && counts.total.count <= rows.length)) return say.someShown(shown);
  const { count, is_more } = counts.total;
  return (is_more ? say.someOfMore : say.someOf)(shown, formatNumber(Math.max(count, rows.length)));
}
