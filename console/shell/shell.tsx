import { Alert, Anchor, AppShell, Box } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { ExportProgress } from '../kit/export-progress.tsx';
import { useWords } from '../kit/language.tsx';
import { openLive } from '../kit/live.ts';
import { useSession } from '../kit/session.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { SearchPalette } from './search-palette.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { TopBar } from './top-bar.tsx';
import { WhenSignedIn } from './when-signed-in.tsx';
import { words } from './words.ts';

/** The frame around every page. */
export function Shell() {
  return (
    <WhenSignedIn>
      <Frame />
    </WhenSignedIn>
  );
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
      <ExportProgress />
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
