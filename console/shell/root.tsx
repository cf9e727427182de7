import { Notifications } from '@mantine/notifications';
import { Outlet, ScrollRestoration } from 'react-router';

/** Around every page; the notices stand here because they contain links. */
export function Root() {
  return (
    <>
      <Notifications position="bottom-right" limit={4} />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
