import { Type } from 'typebox';
import { Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export const viewsMax = 50;
export const viewNameLengthMax = 60;
export const viewQueryLengthMax = 2000;

/** A list as somebody likes to see it. */
export interface SavedView {
  name: string;
  /** What stands behind the question mark of the list's address. */
  query: string;
}

const Page = Type.String({ pattern: '^[a-z][a-z-]{0,39}$', description: 'the name of a page: small letters and dashes' });
const Query = Type.String({
  pattern: `^[A-Za-z0-9._~!$'()*+,;:@/?%&=-]{0,${viewQueryLengthMax}}$`,
  description: `a query as in an address, at most ${viewQueryLengthMax} characters`,
});

/** One's own, by name. */
export const viewsList = consoleCall<{ views: SavedView[] }>()('/views/list', record({ page: Page }));

/** One of the same name is replaced. */
export const viewsSave = consoleCall<{ kind: 'saved' } | { kind: 'too_many'; max: number }>()(
  '/views/save',
  record({ page: Page, name: Title(viewNameLengthMax), query: Query }),
);

export const viewsDelete = consoleCall<{ kind: 'deleted' } | { kind: 'not_found' }>()(
  '/views/delete',
  record({ page: Page, name: Title(viewNameLengthMax) }),
);
