import { Notifications } from '@mantine/notifications';
import { Outlet, ScrollRestoration } from 'react-router';

/** Wraps every page. Notifications are inside the router because they contain links. */
export function Root() {
  return (
    <>
      <Notifications position="bottom-right" limit={4} />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
