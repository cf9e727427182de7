import { labelValues } from '../orders/label-values.ts';

/** The label of a pickup store. Its fields have the names that the partner uses; only few of them are known. */
export interface StoreLabelFields {
  storeName: string | null;
  storeNo: string | null;
  codes: { name: string; text: string; isQr: boolean }[];
  /** All other fields, by the partner's own names. */
  texts: [name: string, text: string][];
}

const storeNames = ['storename'];
const storeNos = ['storeid', 'storeno', 'storecode'];
const codeName = /^(bar|qr)codes?\d*$/;

export function readStoreLabel(label: Record<string, unknown>): StoreLabelFields {
  const fields: StoreLabelFields = { storeName: null, storeNo: null, codes: [], texts: [] };
  for (const [name, text] of labelValues(label)) {
    const known = knownName(name);
    if (text === '') continue;
    if (storeNames.includes(known) && fields.storeName === null) fields.storeName = text;
    else if (storeNos.includes(known) && fields.storeNo === null) fields.storeNo = text;
    else if (codeName.test(known)) fields.codes.push({ name, text, isQr: known.startsWith('qr') });
    else fields.texts.push([name, text]);
  }
  return fields;
}

/** The last part of a path that is no index: `Store.Bar_Code.0` is `barcode`. */
function knownName(name: string): string {
  const last = name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? name;
  return last.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
