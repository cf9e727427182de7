import { randomBytes } from 'node:crypto';
import { waitUntilReady } from '../../faults/child-process.ts';
import { readDurability } from './durability.ts';
import { type JsonClient, makeJsonClient } from './json-client.ts';
import { placePrograms, wantedVersion } from './other-products.ts';
import { type OtherDatabase, openOtherDatabase, runOther, startOther } from './run-other.ts';
import type { Shop, StockedSku } from './shop.ts';

const readyWithinSeconds = 180;
const skusPerRequest = 50;
const program = 'node_modules/@medusajs/cli/cli.js';
const email = 'admin@example.com';
const currency = 'twd';

/** Starts Medusa on an empty database, and sets up a region, shipping, payment and products through its admin API. */
export async function openMedusaShop(folder: string, skus: StockedSku[], cleanup: AsyncDisposableStack): Promise<Shop> {
  const database = await openOtherDatabase(cleanup);
  const place = placePrograms('medusa', folder);
  const env = environmentOf(database);
  const password = randomBytes(16).toString('hex');
  await runOther({ place, args: [program, 'db:migrate', '--skip-scripts'], env }, database);
  await runOther({ place, args: [program, 'user', '--email', email, '--password', password], env }, database);
  // The port is in the environment.
  const start = [program, 'start', '--host', '127.0.0.1'];
  const service = await startOther({ place, args: start, env }, database, cleanup);
  await waitUntilReady(service, readyWithinSeconds, '/health');
  const { token } = await makeJsonClient(service.url).post<{ token: string }>('/auth/user/emailpass', {
    email,
    password,
  });
  const admin = makeJsonClient(service.url, { authorization: `Bearer ${token}` });
  const region = await setUpRegion(admin);
  const variantIds = await createVariants(admin, region, skus);
  await database.sql`analyze`;
  const { regionId, salesChannelId, shippingOptionId, publishableKey } = region;
  const shared = { regionId, shippingOptionId, variantIds };
  return {
    name: 'Medusa',
    version: wantedVersion('medusa'),
    port: Number(new URL(service.url).port),
    ways: [
      { name: '', recipe: () => ({ kind: 'medusa', ...shared, publishableKey }) },
      { name: 'draft order', recipe: () => ({ kind: 'medusa draft', ...shared, salesChannelId, adminToken: token }) },
    ],
    settings: await readDurability(database.sql),
    processes: { service: service.process.pid!, postmaster: database.postmaster },
    ...counts(database),
    log: () => service.output.text,
  };
}

function environmentOf({ host, port, username, password, database, poolSize }: OtherDatabase): Record<string, string> {
  const login = `${username}:${encodeURIComponent(password)}`;
  return {
    DATABASE_URL: `postgres://${login}@${encodeURIComponent(host)}:${port}/${database}`,
    DB_POOL: String(poolSize),
    JWT_SECRET: randomBytes(16).toString('hex'),
    COOKIE_SECRET: randomBytes(16).toString('hex'),
    LOG_LEVEL: 'warn',
  };
}

function counts({ sql }: OtherDatabase): Pick<Shop, 'countOrders' | 'countSold'> {
  return {
    async countOrders() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from "order"
        where not is_draft_order and canceled_at is null and deleted_at is null`;
      return row!.count;
    },
    async countSold(skuIds) {
      const [row] = await sql<{ units: number }[]>`
        select coalesce(sum(i.quantity), 0)::integer as units
        from "order" o
          join order_item i on i.order_id = o.id and i.version = o.version
          join order_line_item l on l.id = i.item_id
        where l.variant_sku = any(${skuIds}::text[])
          and not o.is_draft_order and o.canceled_at is null and o.deleted_at is null`;
      return row!.units;
    },
  };
}

interface Region {
  regionId: string;
  salesChannelId: string;
  locationId: string;
  shippingProfileId: string;
  shippingOptionId: string;
  publishableKey: string;
}

interface WithId {
  id: string;
}

async function setUpRegion(admin: JsonClient): Promise<Region> {
  const { region } = await admin.post<{ region: WithId }>('/admin/regions', {
    name: 'Taiwan',
    currency_code: currency,
    countries: ['tw'],
    payment_providers: ['pp_system_default'],
  });
  const { sales_channel } = await admin.post<{ sales_channel: WithId }>('/admin/sales-channels', { name: 'Bench' });
  const { stock_location } = await admin.post<{ stock_location: WithId }>('/admin/stock-locations', { name: 'Bench' });
  const location = `/admin/stock-locations/${stock_location.id}`;
  await admin.post(`${location}/sales-channels`, { add: [sales_channel.id] });
  await admin.post(`${location}/fulfillment-providers`, { add: ['manual_manual'] });
  const { shipping_profile } = await admin.post<{ shipping_profile: WithId }>('/admin/shipping-profiles', {
    name: 'Bench',
    type: 'bench',
  });
  const { api_key } = await admin.post<{ api_key: WithId & { token: string } }>('/admin/api-keys', {
    title: 'Bench',
    type: 'publishable',
  });
  await admin.post(`/admin/api-keys/${api_key.id}/sales-channels`, { add: [sales_channel.id] });
  return {
    regionId: region.id,
    salesChannelId: sales_channel.id,
    locationId: stock_location.id,
    shippingProfileId: shipping_profile.id,
    shippingOptionId: await createShippingOption(admin, location, shipping_profile.id),
    publishableKey: api_key.token,
  };
}

async function createShippingOption(admin: JsonClient, location: string, profileId: string): Promise<string> {
  const withSet = await admin.post<{ stock_location: { fulfillment_sets: WithId[] } }>(
    `${location}/fulfillment-sets?fields=id,*fulfillment_sets`,
    { name: 'Bench', type: 'shipping' },
  );
  const setId = withSet.stock_location.fulfillment_sets[0]!.id;
  const { fulfillment_set } = await admin.post<{ fulfillment_set: { service_zones: WithId[] } }>(
    `/admin/fulfillment-sets/${setId}/service-zones`,
    { name: 'Taiwan', geo_zones: [{ type: 'country', country_code: 'tw' }] },
  );
  const { shipping_option } = await admin.post<{ shipping_option: WithId }>('/admin/shipping-options', {
    name: 'Home delivery',
    service_zone_id: fulfillment_set.service_zones[0]!.id,
    shipping_profile_id: profileId,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Home', description: 'Home delivery', code: 'home' },
    prices: [{ currency_code: currency, amount: 60 }],
    rules: [],
  });
  return shipping_option.id;
}

/** A product for each sku. Returns the id of each variant. */
async function createVariants(admin: JsonClient, region: Region, skus: StockedSku[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (let first = 0; first < skus.length; first += skusPerRequest) {
    const some = skus.slice(first, first + skusPerRequest);
    const { created } = await admin.post<{ created: { variants: (WithId & { sku: string })[] }[] }>(
      '/admin/products/batch?fields=id,*variants',
      { create: some.map(({ skuId }) => productOf(skuId, region)) },
    );
    for (const variant of created.flatMap(({ variants }) => variants)) ids[variant.sku] = variant.id;
    await createLevels(admin, region.locationId, some);
  }
  return ids;
}

function productOf(skuId: string, { salesChannelId, shippingProfileId }: Region): object {
  return {
    title: `Bench ${skuId}`,
    status: 'published',
    shipping_profile_id: shippingProfileId,
    sales_channels: [{ id: salesChannelId }],
    options: [{ title: 'Size', values: ['One'] }],
    variants: [
      {
        title: 'One',
        sku: skuId,
        manage_inventory: true,
        allow_backorder: false,
        options: { Size: 'One' },
        prices: [{ currency_code: currency, amount: 100 }],
      },
    ],
  };
}

async function createLevels(admin: JsonClient, locationId: string, skus: StockedSku[]): Promise<void> {
  const query = skus.map(({ skuId }) => `sku[]=${skuId}`).join('&');
  const { inventory_items } = await admin.get<{ inventory_items: (WithId & { sku: string })[] }>(
    `/admin/inventory-items?limit=${skus.length}&fields=id,sku&${query}`,
  );
  const qtyOf = new Map(skus.map(({ skuId, qty }) => [skuId, qty]));
  await admin.post('/admin/inventory-items/location-levels/batch', {
    create: inventory_items.map(({ id, sku }) => ({
      inventory_item_id: id,
      location_id: locationId,
      stocked_quantity: qtyOf.get(sku)!,
    })),
  });
}
