import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useWords } from './language.tsx';
import classes from './page-header.module.css';
import { sharedWords } from './shared-words.ts';

export interface PageHeaderProps {
  title: string;
  /** Shown next to the title: a badge, or a number to copy. */
  aside?: ReactNode;
  subtitle?: ReactNode;
  /** Buttons, the most important one last. */
  actions?: ReactNode;
  /** The list this page belongs to. */
  back?: { to: string; label: string };
}

let focusedPath: string | null = null;

/** The heading of a page. It sets the title of the browser's tab and takes the focus after navigation. */
export function PageHeader({ title, aside, subtitle, actions, back }: PageHeaderProps) {
  const words = useWords(sharedWords);
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title, words]);
  useEffect(() => {
    // A scan field of the page keeps the focus that it has already taken.
    const isTaken = heading.current?.closest('main')?.contains(document.activeElement) ?? false;
    if (focusedPath !== null && focusedPath !== pathname && !isTaken) heading.current?.focus({ preventScroll: true });
    focusedPath = pathname;
  }, [pathname]);

  return (
    <header className={classes.header}>
      <div className={classes.texts}>
        {back && (
          <Anchor component={Link} to={back.to} size="sm" className={classes.back}>
            <IconArrowLeft size={14} aria-hidden />
            {back.label}
          </Anchor>
        )}
        <Group gap="sm" wrap="wrap">
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {aside}
        </Group>
        {subtitle && (
          <Text component="div" c="dimmed" size="sm">
            {subtitle}
          </Text>
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
