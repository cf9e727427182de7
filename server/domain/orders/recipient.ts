/** The recipient of an order: personal data. People see it masked (`mask-recipient.ts`). */
export interface Recipient {
  country: string | null;
  name: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  zip: string | null;
  customer_name: string | null;
  note: string | null;
  store_pickup_label_data: Record<string, unknown> | null;
}
