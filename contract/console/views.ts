import { Type } from 'typebox';
import { Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export const viewsMax = 50;
export const viewNameLengthMax = 60;
export const viewQueryLengthMax = 2000;

/** The filters of a list, saved under a name. */
export interface SavedView {
  name: string;
  /** The query string of the list's URL. */
  query: string;
}

const Page = Type.String({
  pattern: '^[a-z][a-z-]{0,39}$',
  description: 'the name of a page: small letters and dashes',
});
const Query = Type.String({
  pattern: `^[A-Za-z0-9._~!$'()*+,;:@/?%&=-]{0,${viewQueryLengthMax}}$`,
  description: `a query as in an address, at most ${viewQueryLengthMax} characters`,
});

/** The operator's own views, by name. */
export const viewsList = consoleCall<{ views: SavedView[] }>()('/views/list', record({ page: Page }));

/** Replaces a view of the same name. */
export const viewsSave = consoleCall<{ kind: 'saved' } | { kind: 'too_many'; max: number }>()(
  '/views/save',
  record({ page: Page, name: Title(viewNameLengthMax), query: Query }),
);

export const viewsDelete = consoleCall<{ kind: 'deleted' } | { kind: 'not_found' }>()(
  '/views/delete',
  record({ page: Page, name: Title(viewNameLengthMax) }),
);
