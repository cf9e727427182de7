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

/** An order without a recipient, or whose recipient is not known. */
export const nobody: Recipient = {
  country: null,
  name: null,
  phone: null,
  address: null,
  city: null,
  zip: null,
  customer_name: null,
  note: null,
  store_pickup_label_data: null,
};
