import { Alert, Anchor, AppShell, Box } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { ErrorState } from '../kit/error-state.tsx';
import { useWords } from '../kit/language.tsx';
import { openLive } from '../kit/live.ts';
import { signInPath } from '../kit/return-path.ts';
import { useSession, useSessionKeeper } from '../kit/session.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { SearchPalette } from './search-palette.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { TopBar } from './top-bar.tsx';
import { words } from './words.ts';

const EnrolPage = lazy(() => import('../pages/second-factor/enrol-page.tsx'));

/** The frame around every page. It redirects to the sign-in page if nobody is signed in, and back afterwards. */
export function Shell() {
  const { state, look } = useSessionKeeper();
  const location = useLocation();
  if (state.kind === 'unknown') return null;
  if (state.kind === 'unreachable') return <ErrorState error={state.error} onRetry={look} />;
  if (state.kind === 'signed_out') return <Navigate to={state.hasLeft ? '/sign-in' : signInPath(location)} replace />;
  if (state.must_enrol)
    return (
      <Suspense>
        <EnrolPage />
      </Suspense>
    );
  return <Frame />;
}

function Frame() {
  const say = useWords(words);
  const [menuOpened, menu] = useDisclosure(false);
  const [searchOpened, search] = useDisclosure(false);
  const { pathname } = useLocation();
  useEffect(openLive, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on every navigation.
  useEffect(menu.close, [pathname]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: 'md', collapsed: { mobile: !menuOpened } }}
      padding={{ base: 12, sm: 20 }}
      transitionDuration={120}
    >
      <a href="#content" className={classes.skip}>
        {say.skip}
      </a>
      <AppShell.Header>
        <TopBar menuOpened={menuOpened} onMenu={menu.toggle} onSearch={search.open} />
      </AppShell.Header>
      <AppShell.Navbar aria-label={say.mainNavigation} className={classes.navbar ?? ''}>
        <NavigationLinks />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main ?? ''}>
        <Box className={classes.page ?? ''}>
          <WeakPasswordHint />
          <Outlet />
        </Box>
      </AppShell.Main>
      <SearchPalette opened={searchOpened} onClose={search.close} onOpen={search.open} />
      <Shortcuts />
    </AppShell>
  );
}

function WeakPasswordHint() {
  const say = useWords(words);
  const { has_weak_password } = useSession();
  if (!has_weak_password) return null;
  return (
    <Alert color="yellow" p="sm" mb="md">
      {say.weakPassword}{' '}
      <Anchor component={Link} to="/sessions" inherit>
        {say.changePassword}
      </Anchor>
    </Alert>
  );
}
