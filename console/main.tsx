import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import type { AskError } from './kit/ask-error.ts';
import './kit/fonts.ts';
import { LanguageProvider } from './kit/language.tsx';
import { SessionProvider } from './kit/session.tsx';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '';
// The library that stops the page from scrolling behind a dialog reads the nonce from this global variable.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && ['network', 'unavailable'].includes((error as unknown as AskError).kind),
    },
  },
});

// Makes the links absolute, because client-side navigation changes the URL that relative links refer to.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]')) link.href = String(link.href);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'lading.colours' })}
    >
      <LanguageProvider>
        <QueryClientProvider client={client}>
          <SessionProvider onSignedOut={() => client.clear()}>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
