import type { Tx } from '../../platform/database.ts';
import type { ProductFacts } from './product.ts';

/** One statement, so that two syncs of a new sku at the same instant make one product. */
export async function upsertProduct(tx: Tx, accountId: number, facts: ProductFacts): Promise<number> {
  const { skuId, name, storageType } = facts;
  const kept = (value: number | null | undefined) => value === undefined;
  const [row] = await tx<{ product_id: number }[]>`
    insert into product as p (account_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg)
    values (${accountId}, ${skuId}, ${name}, ${storageType},
      ${facts.lengthCm ?? null}, ${facts.widthCm ?? null}, ${facts.heightCm ?? null}, ${facts.weightKg ?? null})
    on conflict (account_id, sku_id) do update set
      name = excluded.name,
      storage_type = excluded.storage_type,
      length_cm = case when ${kept(facts.lengthCm)} then p.length_cm else excluded.length_cm end,
      width_cm = case when ${kept(facts.widthCm)} then p.width_cm else excluded.width_cm end,
      height_cm = case when ${kept(facts.heightCm)} then p.height_cm else excluded.height_cm end,
      weight_kg = case when ${kept(facts.weightKg)} then p.weight_kg else excluded.weight_kg end,
      updated_at = now()
    returning product_id`;
  return row!.product_id;
}
