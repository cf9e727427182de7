import { type TProperties, Type } from 'typebox';

/** A body with these fields and no others. */
export const record = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Nothing = record({});

export const Uuid = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'a UUID in small letters',
});

/** The id of a database row. The console's URLs contain it. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const AccountNo = Type.String({
  pattern: '^[!-~]{1,64}$',
  description: '1-64 visible ASCII characters without spaces',
});

/** A search over more accounts would be slow. If there are more, a request must select some of them. */
export const accountsMax = 200;
export const pageSizeMax = 200;
export const pageSizeDefault = 50;

/** The fields that all lists share. */
export const listFields = {
  /** Default: all accounts. */
  accounts: Type.Optional(Type.Array(AccountNo, { minItems: 1, maxItems: accountsMax })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
};

export interface ListPage<Row> {
  rows: Row[];
  /** Send it as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}
