import { createBrowserRouter } from 'react-router';
import { basePath } from './kit/base-path.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';

/** Every page is loaded lazily, as a separate chunk. */
export const router = createBrowserRouter(
  [
    {
      Component: Root,
      ErrorBoundary: ErrorPage,
      HydrateFallback: () => null,
      children: [
        { path: '/sign-in', lazy: () => import('./pages/sign-in/sign-in-page.tsx') },
        { path: '/print/:printOut', lazy: () => import('./pages/print/print-page.tsx') },
        {
          Component: Shell,
          children: [
            {
              ErrorBoundary: ErrorPage,
              children: [
                { index: true, lazy: () => import('./pages/home/home-page.tsx') },
                { path: 'trends', lazy: () => import('./pages/trends/trends-page.tsx') },
                { path: 'orders', lazy: () => import('./pages/orders/orders-page.tsx') },
                { path: 'orders/:orderId', lazy: () => import('./pages/orders/order-page.tsx') },
                { path: 'picking', lazy: () => import('./pages/picking/queue-page.tsx') },
                { path: 'picking/:batchId', lazy: () => import('./pages/picking/batch-page.tsx') },
                { path: 'pick', lazy: () => import('./pages/orders/pick-page.tsx') },
                { path: 'pack', lazy: () => import('./pages/packing/packing-page.tsx') },
                { path: 'inbound', lazy: () => import('./pages/inbound/inbound-page.tsx') },
                { path: 'inbound/:inboundId', lazy: () => import('./pages/inbound/inbound-document-page.tsx') },
                {
                  path: 'inbound/:inboundId/discrepancies',
                  lazy: () => import('./pages/inbound/discrepancy-page.tsx'),
                },
                { path: 'stock', lazy: () => import('./pages/stock/stock-page.tsx') },
                { path: 'stock/:lotId', lazy: () => import('./pages/stock/lot-page.tsx') },
                { path: 'counts', lazy: () => import('./pages/counts/counts-page.tsx') },
                { path: 'counts/:countId', lazy: () => import('./pages/counts/count-page.tsx') },
                { path: 'products', lazy: () => import('./pages/products/products-page.tsx') },
                { path: 'products/:productId', lazy: () => import('./pages/products/product-page.tsx') },
                { path: 'import', lazy: () => import('./pages/import/import-page.tsx') },
                { path: 'callbacks', lazy: () => import('./pages/callbacks/callbacks-page.tsx') },
                { path: 'callbacks/:callbackId', lazy: () => import('./pages/callbacks/callback-page.tsx') },
                { path: 'requests', lazy: () => import('./pages/requests/requests-page.tsx') },
                { path: 'requests/:traceId', lazy: () => import('./pages/requests/request-page.tsx') },
                { path: 'partners', lazy: () => import('./pages/partners/partners-page.tsx') },
                { path: 'partners/connect', lazy: () => import('./pages/onboarding/connect-page.tsx') },
                {
                  path: 'partners/accounts/:accountNo/handover',
                  lazy: () => import('./pages/onboarding/handover-page.tsx'),
                },
                { path: 'partners/accounts/:accountNo', lazy: () => import('./pages/partners/account-page.tsx') },
                { path: 'alerts', lazy: () => import('./pages/alerts/alerts-page.tsx') },
                { path: 'audit-log', lazy: () => import('./pages/audit-log/audit-log-page.tsx') },
                { path: 'system', lazy: () => import('./pages/system/system-page.tsx') },
                { path: 'sessions', lazy: () => import('./pages/sessions/sessions-page.tsx') },
                { path: 'operators', lazy: () => import('./pages/operators/operators-page.tsx') },
                { path: '*', Component: NotFoundPage },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: basePath },
);
