import type { ClientPermission } from '../../../contract/console/partners.ts';
import { permissionsInOrder } from '../partners/client-form.tsx';

export const presetNames = ['shop', 'wms', 'read', 'all'] as const;
export type PresetName = (typeof presetNames)[number];

/** The permissions of this kind of program. Searches by recipient are only in `all`: they show personal data. */
export const permissionsOf: Record<PresetName, ClientPermission[]> = {
  shop: [
    'stocks.read',
    'products.read',
    'orders.read',
    'orders.write',
    'inbounds.read',
    'callbacks.read',
    'callbacks.write',
  ],
  wms: [
    'stocks.read',
    'stocks.write',
    'products.read',
    'products.write',
    'orders.read',
    'inbounds.read',
    'inbounds.write',
    'fulfilment.write',
    'callbacks.read',
  ],
  read: ['stocks.read', 'products.read', 'orders.read', 'inbounds.read', 'callbacks.read'],
  all: [...permissionsInOrder],
};

/** The preset with exactly these permissions. */
export function presetOf(permissions: ClientPermission[]): PresetName | 'own' {
  const isSame = (name: PresetName) =>
    permissionsOf[name].length === permissions.length && permissionsOf[name].every((one) => permissions.includes(one));
  return presetNames.find(isSame) ?? 'own';
}
