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

/** A field of lists that can count their rows. */
export const countedField = {
  /** The response also has `counts`. */
  counted: Type.Optional(Type.Boolean()),
};

/** A field of lists with a choice of orders. */
export const reversedField = {
  /** The other way round: the oldest or the last first. */
  reversed: Type.Optional(Type.Boolean()),
};

/** `is_more`: there are more, or may be more, because counting was cut off. */
export interface ListCount {
  count: number;
  is_more: boolean;
}

export interface ListPage<Row> {
  rows: Row[];
  /** Send it as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
  /**
   * Only if the request is `counted`. The total is up to 10,000. Each tab has the rows with its value, up to 1,000, and all
   * other filters of the request.
   */
  counts?: { total: ListCount; tabs: Record<string, ListCount> };
}

/** The temperatures at which products are stored. */
export const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'] as const;
