import { Type } from 'typebox';
import { Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export const viewsMax = 50;
export const viewNameLengthMax = 60;
export const viewQueryLengthMax = 2000;

export const sharedViewsMax = 200;

/** The filters of a list, saved under a name. */
export interface SavedView {
  name: string;
  /** The query string of the list's URL. */
  query: string;
  /** All operators see it. */
  shared: boolean;
  owner: string;
  /** The operator owns it, or is an administrator. */
  can_change: boolean;
}

const Page = Type.String({
  pattern: '^[a-z][a-z-]{0,39}$',
  description: 'the name of a page: small letters and dashes',
});
const Query = Type.String({
  pattern: `^[A-Za-z0-9._~!$'()*+,;:@/?%&=-]{0,${viewQueryLengthMax}}$`,
  description: `a query as in an address, at most ${viewQueryLengthMax} characters`,
});

/** Only with a view of somebody else, which must be shared; that needs an administrator. */
const Owner = Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'the user name of an operator' }));

/** The operator's own views by name, then those that others share. */
export const viewsList = consoleCall<{ views: SavedView[] }>()('/views/list', record({ page: Page }));

/** Replaces a view of the same name. Without `shared`, only its owner sees it. */
export const viewsSave = consoleCall<{ kind: 'saved' | 'not_found' } | { kind: 'too_many'; max: number }>()(
  '/views/save',
  record({
    page: Page,
    name: Title(viewNameLengthMax),
    query: Query,
    shared: Type.Optional(Type.Boolean()),
    owner: Owner,
  }),
);

export const viewsDelete = consoleCall<{ kind: 'deleted' } | { kind: 'not_found' }>()(
  '/views/delete',
  record({ page: Page, name: Title(viewNameLengthMax), owner: Owner }),
);
