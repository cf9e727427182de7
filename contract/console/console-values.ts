import { type TProperties, Type } from 'typebox';

/** A body with these fields and no others. */
export const record = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });

export const Nothing = record({});

export const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', description: 'a UUID in small letters' });

/** A row's number in the database: how pages name documents in their addresses. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const AccountNo = Type.String({ pattern: '^[!-~]{1,64}$', description: '1-64 visible ASCII characters without spaces' });

/** More would be shown by nobody and slow for everybody: whoever has more accounts names those meant. */
export const accountsMax = 200;
export const pageSizeMax = 200;
export const pageSizeDefault = 50;

/** What all lists may be asked; the filters are each list's own. */
export const listFields = {
  /** Of these accounts only; left out: of all. */
  accounts: Type.Optional(Type.Array(AccountNo, { minItems: 1, maxItems: accountsMax })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
};

export interface ListPage<Row> {
  rows: Row[];
  /** Send it as `cursor` for the page that follows; null on the last one. */
  next_cursor: string | null;
}
