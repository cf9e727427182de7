import type { Recipient } from './order-history-queries.ts';

/** Replaces a hidden value without revealing its length. */
export const masked = '***';

/**
 * Masks a recipient for people who need not know the person: enough to recognize the parcel, not enough to contact
 * anybody.
 */
export function maskRecipient(recipient: Recipient): Recipient {
  const { name, phone, address, zip, customer_name, note, store_pickup_label_data: label } = recipient;
  return {
    ...recipient,
    name: maskName(name),
    phone: phone && masked + lastDigits(phone),
    address: address && firstCharacters(address, addressShown) + masked,
    zip: zip && masked,
    customer_name: maskName(customer_name),
    note: note && masked,
    store_pickup_label_data: label && (maskValues(label) as Record<string, unknown>),
  };
}

const phoneDigitsShown = 3;
const addressShown = 3;

function maskName(name: string | null): string | null {
  return name && `${firstCharacters(name, 1)}**`;
}

/** Hides the whole number if nearly all of it would be shown. */
function lastDigits(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length >= 3 * phoneDigitsShown ? digits.slice(-phoneDigitsShown) : '';
}

/** Hides the whole text if nearly all of it would be shown. */
function firstCharacters(text: string, count: number): string {
  const characters = [...text];
  return characters.length > count ? characters.slice(0, count).join('') : '';
}

/** A partner's label may hold personal data in any field, so only the names of its fields are shown. */
function maskValues(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(maskValues);
  if (typeof value !== 'object') return masked;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValues(inner)]));
}

/** Whether the recipient contains any personal data. */
export function namesSomebody(recipient: Recipient): boolean {
  const { country: _country, city: _city, ...personal } = recipient;
  return Object.values(personal).some((value) => value !== null && value !== '');
}
