import type { Recipient } from './recipient.ts';

/** Replaces a hidden value without revealing its length. */
export const masked = '***';

/**
 * Masks a recipient: enough to recognize the parcel, not enough to contact anybody. The console, the commands and the
 * exports all use this rule. Partners receive their own data unmasked from the APIs.
 */
export function maskRecipient(recipient: Recipient): Recipient {
  const { name, phone, address, zip, city, customer_name, note, store_pickup_label_data: label } = recipient;
  return {
    ...recipient,
    name: name && maskName(name),
    phone: phone && maskPhone(phone),
    address: address && maskAddress(address),
    city: city && maskAddress(city),
    zip: zip && masked,
    customer_name: customer_name && maskName(customer_name),
    note: note && masked,
    store_pickup_label_data: label && (maskValues(label) as Record<string, unknown>),
  };
}

const isHan = /^\p{Script=Han}+$/u;
const hidden = '○';

/** 王小明 is 王○明, 王明 is 王○. Other names keep the first letter of their first and last word: L** M**. */
export function maskName(name: string): string {
  const words = name.trim().split(/\s+/);
  if (!words.every((word) => isHan.test(word))) {
    const ends = words.length === 1 ? words : [words[0]!, words.at(-1)!];
    return ends.map((word) => `${[...word].length > 1 ? [...word][0] : ''}**`).join(' ');
  }
  const characters = [...words.join('')];
  const [first, last] = [characters[0]!, characters.at(-1)!];
  if (characters.length === 1) return hidden;
  if (characters.length === 2) return first + hidden;
  return `${first}${characters.length === 3 ? hidden : hidden + hidden}${last}`;
}

const phoneDigitsShown = 3;
const mobile = /^(?:886|0)9\d{8}$/;

/** 0912-345-678 is 09xx-xxx-678. A short number is hidden, because nearly all of it would be shown. */
export function maskPhone(phone: string): string {
  const digits = phone.normalize('NFKC').replaceAll(/\D/g, '');
  const last = digits.slice(-phoneDigitsShown);
  if (mobile.test(digits)) return `09xx-xxx-${last}`;
  return digits.length >= 3 * phoneDigitsShown ? `xxx-xxx-${last}` : 'xxx';
}

/** The cities and counties of Taiwan. Any other beginning of an address may be a street or a name. */
const city =
  /^(?:\d{3,6}\s*)?((?:[台臺][北中南]|新北|桃園|高雄|基隆|新竹|嘉義)市|(?:新竹|苗栗|彰化|南投|雲林|嘉義|屏東|宜蘭|花蓮|[台臺]東|澎湖|金門|連江)縣)/u;
const district = /^\s*(\p{Script=Han}{1,3}?[區鄉鎮市])/u;
const romanPlace =
  /^(?:(?:New Taipei|Taipei|Taoyuan|Taichung|Tainan|Kaohsiung|Keelung|Hsinchu|Chiayi|Miaoli|Changhua|Nantou|Yunlin|Pingtung|Yilan|Hualien|Taitung|Penghu|Kinmen|Lienchiang)(?: City| County)?|\p{Lu}[\p{L}'’-]{1,20}(?: \p{Lu}[\p{L}'’-]{1,20})? (?:District|Dist\.|Township))$/u;

/** Keeps the city and the district: 臺北市信義區***, or ***, Xinyi District, Taipei City. */
export function maskAddress(address: string): string {
  const text = address.normalize('NFKC').trim();
  const inCity = city.exec(text);
  if (inCity) {
    const rest = text.slice(inCity[0].length);
    const inDistrict = district.exec(rest)?.[0] ?? '';
    return `${inCity[1]}${inDistrict.trim()}${rest.length > inDistrict.length ? masked : ''}`;
  }
  const parts = text.split(/\s*,\s*/);
  const places = parts.filter((part) => romanPlace.test(part));
  return places.length === parts.length ? places.join(', ') : [masked, ...places].join(', ');
}

/** A partner's label may hold personal data in any field, so only the names of its fields are shown. */
function maskValues(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(maskValues);
  if (typeof value !== 'object') return masked;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValues(inner)]));
}

/** The body of a callback. The note is the only field that may be about the recipient. */
export function maskCallbackBody(body: string): string {
  const content = JSON.parse(body) as { note?: string | null };
  return content.note ? JSON.stringify({ ...content, note: masked }) : body;
}

/** Whether the recipient contains any personal data. */
export function namesSomebody(recipient: Recipient): boolean {
  const { country: _country, city: _city, ...personal } = recipient;
  return Object.values(personal).some((value) => value !== null && value !== '');
}
