/** Why goods came back. A receipt of a return has one of them; it is stored under this name. */
export const returnReasons = [
  'changed_mind',
  'defective',
  'damaged_in_transit',
  'wrong_item',
  'not_collected',
  'refused',
  'undeliverable',
  'other',
] as const;
export type ReturnReason = (typeof returnReasons)[number];
