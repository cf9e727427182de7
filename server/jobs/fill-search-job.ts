import { outcome } from '../../messages/outcome-texts.ts';
import { fillSearch } from '../domain/search/fill-search.ts';
import type { Job } from './job.ts';

/** Makes new documents and products found by any part of their numbers and names, without a direct look at each. */
export const fillSearchJob: Job = {
  name: 'fill_search',
  everySeconds: 15,
  async run({ database, stopping }) {
    const { documents } = await fillSearch(database, { stopping });
    return outcome('search_filled', { count: documents });
  },
};
