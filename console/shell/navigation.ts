import {
  IconActivity,
  IconArrowsExchange,
  IconBarcode,
  IconBell,
  IconBuildingWarehouse,
  IconChartLine,
  IconChecklist,
  IconClipboardList,
  IconFileImport,
  IconHistory,
  IconHome,
  IconListCheck,
  IconPackageExport,
  IconPackageImport,
  IconServer,
  IconTag,
  IconUserCog,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { OperatorRole } from '../../contract/console/sessions.ts';

export interface NavigationItem {
  name:
    | 'home'
    | 'trends'
    | 'orders'
    | 'picking'
    | 'pick'
    | 'pack'
    | 'inbound'
    | 'stock'
    | 'counts'
    | 'products'
    | 'import'
    | 'callbacks'
    | 'requests'
    | 'partners'
    | 'operators'
    | 'alerts'
    | 'auditLog'
    | 'system';
  to: string;
  icon: typeof IconHome;
  /** The shortcut: `g`, then this letter. */
  key: string;
  needs: OperatorRole;
  /** About all warehouses: not for operators who work in some only. */
  isWhole?: true;
}

export interface NavigationGroup {
  name: 'goods' | 'traffic' | 'administration' | null;
  items: NavigationItem[];
}

export const navigation: NavigationGroup[] = [
  {
    name: null,
    items: [
      { name: 'home', to: '/', icon: IconHome, key: 'h', needs: 'read-only', isWhole: true },
      { name: 'trends', to: '/trends', icon: IconChartLine, key: 't', needs: 'read-only' },
    ],
  },
  {
    name: 'goods',
    items: [
      { name: 'orders', to: '/orders', icon: IconClipboardList, key: 'o', needs: 'read-only' },
      { name: 'picking', to: '/picking', icon: IconListCheck, key: 'b', needs: 'staff' },
      { name: 'pack', to: '/pack', icon: IconPackageExport, key: 'x', needs: 'staff' },
      { name: 'pick', to: '/pick', icon: IconBarcode, key: 'k', needs: 'staff' },
      { name: 'inbound', to: '/inbound', icon: IconPackageImport, key: 'i', needs: 'read-only' },
      { name: 'stock', to: '/stock', icon: IconBuildingWarehouse, key: 's', needs: 'read-only' },
      { name: 'counts', to: '/counts', icon: IconChecklist, key: 'n', needs: 'staff' },
      { name: 'products', to: '/products', icon: IconTag, key: 'p', needs: 'read-only' },
      { name: 'import', to: '/import', icon: IconFileImport, key: 'm', needs: 'staff' },
    ],
  },
  {
    name: 'traffic',
    items: [
      { name: 'callbacks', to: '/callbacks', icon: IconArrowsExchange, key: 'c', needs: 'read-only', isWhole: true },
      { name: 'requests', to: '/requests', icon: IconActivity, key: 'r', needs: 'read-only', isWhole: true },
    ],
  },
  {
    name: 'administration',
    items: [
      { name: 'partners', to: '/partners', icon: IconUsersGroup, key: 'a', needs: 'read-only' },
      { name: 'operators', to: '/operators', icon: IconUserCog, key: 'u', needs: 'admin' },
      { name: 'alerts', to: '/alerts', icon: IconBell, key: 'w', needs: 'admin', isWhole: true },
      { name: 'auditLog', to: '/audit-log', icon: IconHistory, key: 'l', needs: 'admin' },
      { name: 'system', to: '/system', icon: IconServer, key: 'y', needs: 'read-only', isWhole: true },
    ],
  },
];
