import { Burger, Kbd, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import iconUrl from '../icon.svg';
import { useWords } from '../kit/language.tsx';
import { useIsOffline } from '../kit/live.ts';
import { sharedWords } from '../kit/shared-words.ts';
import { StatusBadge } from '../kit/status-badge.tsx';
import { ColourMenu } from './colour-menu.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';
import { words } from './words.ts';

export interface TopBarProps {
  menuOpened: boolean;
  onMenu(): void;
  onSearch(): void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const searchKeys = isMac ? '⌘ K' : 'Ctrl K';

export function TopBar({ menuOpened, onMenu, onSearch }: TopBarProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const isOffline = useIsOffline();
  return (
    <div className={classes.bar}>
      <Burger
        hiddenFrom="md"
        size="sm"
        opened={menuOpened}
        onClick={onMenu}
        aria-label={menuOpened ? say.closeMenu : say.openMenu}
      />
      <Link to="/" className={classes.brand}>
        <img src={iconUrl} width={22} height={22} alt="" />
        <span className={classes.brandName}>{shared.product}</span>
      </Link>
      <div role="status" data-offline={isOffline || undefined}>
        {isOffline && (
          <Tooltip label={say.offlineHint}>
            <span>
              <StatusBadge tone="failed">{say.offline}</StatusBadge>
            </span>
          </Tooltip>
        )}
      </div>
      <button type="button" className={classes.search} onClick={onSearch} aria-keyshortcuts="/ Control+K Meta+K">
        <IconSearch size={16} aria-hidden />
        <span>{say.search}</span>
        <Kbd size="xs" aria-hidden>
          {searchKeys}
        </Kbd>
      </button>
      <LanguageSwitch />
      <ColourMenu />
      <UserMenu />
    </div>
  );
}
