import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { searchFind } from '../../contract/console/search.ts';
import { ask } from '../kit/ask.ts';
import { useWords } from '../kit/language.tsx';
import { useMay } from '../kit/session.tsx';
import { useNavigation } from './navigation-links.tsx';
import { groupHits, type HitGroup, isLongEnough, recipientTermOf, type SearchHit } from './search-hits.ts';
import { words } from './words.ts';

const waitMs = 180;
const nothing = { hits: [], more: [], is_behind: false };

export interface Hits {
  groups: HitGroup[];
  isAsking: boolean;
  hasFound: boolean;
  isBehind: boolean;
}

/** Pages are known here; everything else is asked for, once the typing pauses. */
export function useHits(text: string): Hits {
  const [asked] = useDebouncedValue(text, waitMs);
  const pages = usePages(text);
  const maySearchRecipients = useMay('staff');
  const isWanted = isLongEnough(text);
  const query = useQuery({
    queryKey: ['ask', '/search/find', asked],
    queryFn: ({ signal }) => ask<typeof searchFind>('/search/find', { text: asked }, signal),
    enabled: isLongEnough(asked),
    placeholderData: keepPreviousData,
  });
  const found = isWanted ? (query.data ?? nothing) : nothing;
  const recipient = isWanted && maySearchRecipients ? recipientTermOf(text) : null;
  return {
    groups: groupHits(found, recipient, pages),
    isAsking: isWanted && (query.isFetching || asked !== text),
    hasFound: found.hits.length > 0,
    isBehind: found.is_behind,
  };
}

function usePages(text: string): SearchHit[] {
  const say = useWords(words);
  const lower = text.toLowerCase();
  return useNavigation()
    .filter(
      ({ name, to }) => text === '' || say.nav[name].toLowerCase().includes(lower) || to.slice(1).startsWith(lower),
    )
    .map(({ name, to }) => ({ kind: 'page', title: say.nav[name], subtitle: '', path: to, is_exact: false }));
}
