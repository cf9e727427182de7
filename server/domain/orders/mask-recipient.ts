import type { Recipient } from '../timeline/document-story-queries.ts';

/** Stands for what is not shown; it says nothing about how long that is. */
export const masked = '***';

/** A recipient for people who need not know the person: enough to recognise the parcel, not enough to reach anybody. */
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

/** Nothing of a number that would be shown nearly whole. */
function lastDigits(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length >= 3 * phoneDigitsShown ? digits.slice(-phoneDigitsShown) : '';
}

/** Nothing of a text that would be shown nearly whole. */
function firstCharacters(text: string, count: number): string {
  const characters = [...text];
  return characters.length > count ? characters.slice(0, count).join('') : '';
}

/** A partner's label may hold anything anywhere, so that only the names of its fields are shown. */
function maskValues(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(maskValues);
  if (typeof value !== 'object') return masked;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValues(inner)]));
}

/** Whether there is anything about a person in it. */
export function namesSomebody(recipient: Recipient): boolean {
  const { country: _country, city: _city, ...personal } = recipient;
  return Object.values(personal).some((value) => value !== null && value !== '');
}
