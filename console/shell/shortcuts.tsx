import { Kbd, Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useWords } from '../kit/language.tsx';
import { sharedWords } from '../kit/shared-words.ts';
import { isTyping } from '../kit/typing.ts';
import { useNavigation } from './navigation-links.tsx';
import classes from './shortcuts.module.css';
import { words } from './words.ts';

const goMs = 1500;
const openEvent = 'lading:shortcuts';

export function openShortcuts(): void {
  window.dispatchEvent(new Event(openEvent));
}

/** `g` and a letter open a page, `f` focuses the first filter, `?` lists all shortcuts. */
export function Shortcuts() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [opened, setOpened] = useState(false);
  const items = useNavigation();
  const navigate = useNavigate();

  const go = useEffectEvent((key: string) => {
    const item = items.find((one) => one.key === key);
    if (item) void navigate(item.to);
  });
  useEffect(() => {
    let goUntilMs = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      if (event.key === '?') setOpened(true);
      else if (event.timeStamp < goUntilMs) go(event.key);
      else if (event.key === 'f') focusFirstFilter(event);
      goUntilMs = event.key === 'g' ? event.timeStamp + goMs : 0;
    };
    const onOpen = () => setOpened(true);
    window.addEventListener('keydown', onKey);
    window.addEventListener(openEvent, onOpen);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(openEvent, onOpen);
    };
  }, []);

  const rows: { keys: string[]; joint: string; text: string }[] = [
    { keys: ['/', 'Ctrl K', '⌘ K'], joint: say.keyOr, text: say.shortcutSearch },
    { keys: ['?'], joint: '', text: say.shortcutHelp },
    { keys: ['f'], joint: '', text: say.shortcutFilter },
    { keys: ['j', 'k'], joint: say.keyOr, text: say.shortcutRows },
    { keys: ['Enter'], joint: '', text: say.shortcutOpen },
    { keys: ['x'], joint: '', text: say.shortcutSelect },
    ...items.map(({ key, name }) => ({ keys: ['g', key], joint: say.keyThen, text: say.shortcutGo(say.nav[name]) })),
  ];
  return (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      title={say.shortcuts}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
      size={560}
    >
      <dl className={classes.shortcuts}>
        {rows.map(({ keys, joint, text }) => (
          <div key={text} className={classes.shortcut}>
            <dt>
              {keys.map((key, place) => (
                <span key={key}>
                  {place > 0 && <span className={classes.joint}>{joint}</span>}
                  <Kbd size="xs">{key}</Kbd>
                </span>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

function focusFirstFilter(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('search input');
  if (!field) return;
  event.preventDefault();
  field.focus();
}
