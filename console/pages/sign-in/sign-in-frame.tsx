import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import iconUrl from '../../icon.svg';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { ColourMenu } from '../../shell/colour-menu.tsx';
import { LanguageSwitch } from '../../shell/language-switch.tsx';
import classes from './sign-in.module.css';
import { words } from './words.ts';

/** The frame of the pages before the console itself: name, one form, a line below it. */
export function SignInFrame({ title, help, children }: { title: string; help: ReactNode; children: ReactNode }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  useEffect(() => {
    document.title = `${title} · ${shared.product}`;
  }, [title, shared]);
  return (
    <div className={classes.page}>
      <div className={classes.corner}>
        <LanguageSwitch />
        <ColourMenu />
      </div>
      <main className={classes.main}>
        <div className={classes.brand}>
          <img src={iconUrl} width={40} height={40} alt="" />
          <div>
            <div className={classes.product}>{shared.product}</div>
            <Text c="dimmed" size="sm">
              {say.subtitle}
            </Text>
          </div>
        </div>
        <Paper p="xl">
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
        <Text component="div" c="dimmed" size="sm" ta="center" mt="md">
          {help}
        </Text>
      </main>
    </div>
  );
}
