type NamesIn<List extends string> = List extends `${infer First}, ${infer Rest}` ? First | NamesIn<Rest> : List;

/** The named fields of an object and no others, in this order: `pick(lot, 'sku_id, on_hand, locked')`. */
export function pick<Source extends object, const List extends string>(source: Source, ...lists: List[]) {
  const names = lists.flatMap((list) => list.split(', ')) as (keyof Source)[];
  return Object.fromEntries(names.map((name) => [name, source[name]])) as {
    [Name in NamesIn<List>]: Name extends keyof Source ? Source[Name] : never;
  };
}
