import { randomBytes } from 'node:crypto';
import { waitUntilReady } from '../../faults/child-process.ts';
import { readDurability } from './durability.ts';
import { makeJsonClient } from './json-client.ts';
import { placePrograms, wantedVersion } from './other-products.ts';
import type { VendureRecipe } from './purchase.ts';
import { type OtherDatabase, openOtherDatabase, startOther } from './run-other.ts';
import type { Shop, StockedSku } from './shop.ts';

const readyWithinSeconds = 120;
const skusPerRequest = 20;

/** Starts Vendure on an empty database, and sets up a channel, shipping, payment and products through its admin API. */
export async function openVendureShop(
  folder: string,
  skus: StockedSku[],
  cleanup: AsyncDisposableStack,
): Promise<Shop> {
  const database = await openOtherDatabase(cleanup);
  const adminPassword = randomBytes(16).toString('hex');
  const place = placePrograms('vendure', folder);
  const env = {
    ...environmentOf(database),
    ADMIN_PASSWORD: adminPassword,
    COOKIE_SECRET: randomBytes(16).toString('hex'),
  };
  const service = await startOther({ place, args: ['server.mjs'], env }, database, cleanup);
  await waitUntilReady(service, readyWithinSeconds, '/health');
  const admin = await signIn(service.url, adminPassword);
  const shippingMethodId = await setUpChannel(admin);
  const variantIds = await createVariants(admin, skus);
  await database.sql`analyze`;
  const recipe = { kind: 'vendure' as const, variantIds, shippingMethodId };
  const wayOf = (name: string, mutations: VendureRecipe['mutations']) => ({
    name,
    recipe: () => ({ ...recipe, mutations }),
  });
  return {
    name: 'Vendure',
    version: wantedVersion('vendure'),
    port: Number(new URL(service.url).port),
    ways: [wayOf('', 'one by one'), wayOf('all mutations in one request', 'together')],
    settings: await readDurability(database.sql),
    processes: { service: service.process.pid!, postmaster: database.postmaster },
    ...counts(database),
    log: () => service.output.text,
  };
}

function environmentOf({ host, port, username, password, database, poolSize }: OtherDatabase): Record<string, string> {
  return {
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USERNAME: username,
    DB_PASSWORD: password,
    DB_NAME: database,
    DB_POOL: String(poolSize),
  };
}

function counts({ sql }: OtherDatabase): Pick<Shop, 'countOrders' | 'countSold'> {
  return {
    async countOrders() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from "order" where "orderPlacedAt" is not null and state <> 'Cancelled'`;
      return row!.count;
    },
    async countSold(skuIds) {
      const [row] = await sql<{ units: number }[]>`
        select coalesce(sum(l.quantity), 0)::integer as units
        from order_line l
          join "order" o on o.id = l."orderId"
          join product_variant v on v.id = l."productVariantId"
        where v.sku = any(${skuIds}::text[]) and o."orderPlacedAt" is not null and o.state <> 'Cancelled'`;
      return row!.units;
    },
  };
}

/** Sends a GraphQL document and returns its data. */
type Admin = <Data>(query: string, variables?: object) => Promise<Data>;

async function signIn(url: string, password: string): Promise<Admin> {
  const login = 'mutation ($password: String!) { login(username: "superadmin", password: $password) { __typename } }';
  const response = await fetch(`${url}/admin-api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: login, variables: { password } }),
  });
  const token = response.headers.get('vendure-auth-token');
  if (token === null) throw new Error(`Vendure did not let us in: ${await response.text()}`);
  const client = makeJsonClient(url, { authorization: `Bearer ${token}` });
  return async <Data>(query: string, variables: object = {}) => {
    const { data, errors } = await client.post<{ data: Data; errors?: object[] }>('/admin-api', { query, variables });
    if (errors) throw new Error(`${query}: ${JSON.stringify(errors).slice(0, 500)}`);
    return data;
  };
}

/** Returns the id of the only shipping method. */
async function setUpChannel(admin: Admin): Promise<string> {
  const { createCountry } = await admin<{ createCountry: { id: string } }>(`mutation { createCountry(input:
    { code: "TW", enabled: true, translations: [{ languageCode: en, name: "Taiwan" }] }) { id } }`);
  const { createZone } = await admin<{ createZone: { id: string } }>(
    'mutation ($members: [ID!]!) { createZone(input: { name: "Taiwan", memberIds: $members }) { id } }',
    { members: [createCountry.id] },
  );
  const zone = createZone.id;
  const { createTaxCategory } = await admin<{ createTaxCategory: { id: string } }>(
    'mutation { createTaxCategory(input: { name: "Standard", isDefault: true }) { id } }',
  );
  await admin(
    `mutation ($zone: ID!, $category: ID!) { createTaxRate(input:
      { name: "Standard", enabled: true, value: 5, categoryId: $category, zoneId: $zone }) { id } }`,
    { zone, category: createTaxCategory.id },
  );
  const { activeChannel } = await admin<{ activeChannel: { id: string } }>('{ activeChannel { id } }');
  await admin(
    `mutation ($id: ID!, $zone: ID!) { updateChannel(input:
      { id: $id, defaultTaxZoneId: $zone, defaultShippingZoneId: $zone, pricesIncludeTax: true }) { __typename } }`,
    { id: activeChannel.id, zone },
  );
  await admin(`mutation { createPaymentMethod(input: { code: "dummy", enabled: true,
    handler: { code: "dummy-payment-handler", arguments: [{ name: "automaticSettle", value: "true" }] },
    translations: [{ languageCode: en, name: "Dummy", description: "" }] }) { id } }`);
  const { createShippingMethod } = await admin<{ createShippingMethod: { id: string } }>(`mutation {
    createShippingMethod(input: { code: "home", fulfillmentHandler: "manual-fulfillment",
      checker: { code: "default-shipping-eligibility-checker", arguments: [{ name: "orderMinimum", value: "0" }] },
      calculator: { code: "default-shipping-calculator", arguments: [{ name: "rate", value: "6000" },
        { name: "includesTax", value: "auto" }, { name: "taxRate", value: "5" }] },
      translations: [{ languageCode: en, name: "Home delivery", description: "" }] }) { id } }`);
  return createShippingMethod.id;
}

/** A product for each sku, because the variants of one product differ in their options. Returns the id of each variant. */
async function createVariants(admin: Admin, skus: StockedSku[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (let first = 0; first < skus.length; first += skusPerRequest) {
    const some = skus.slice(first, first + skusPerRequest);
    const products = await admin<Record<string, { id: string }>>(`mutation { ${some.map(productField).join(' ')} }`);
    const fields = some.map((sku, index) => variantField(sku, index, products[`p${index}`]!.id));
    const variants = await admin<Record<string, { id: string }[]>>(`mutation { ${fields.join(' ')} }`);
    for (const [index, { skuId }] of some.entries()) ids[skuId] = variants[`v${index}`]![0]!.id;
  }
  return ids;
}

function productField({ skuId }: StockedSku, index: number): string {
  return `p${index}: createProduct(input: { enabled: true, translations: [
    { languageCode: en, name: "Bench ${skuId}", slug: "${skuId.toLowerCase()}", description: "" }] }) { id }`;
}

function variantField({ skuId, qty }: StockedSku, index: number, productId: string): string {
  return `v${index}: createProductVariants(input: [{ productId: "${productId}", sku: "${skuId}", price: 10000,
    stockOnHand: ${qty}, trackInventory: TRUE,
    translations: [{ languageCode: en, name: "Bench ${skuId}" }] }]) { id }`;
}
