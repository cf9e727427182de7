import { NavLink } from 'react-router';
import { useWords } from '../kit/language.tsx';
import { useIsRestricted, useMay, useSession } from '../kit/session.tsx';
import { type NavigationItem, navigation } from './navigation.ts';
import classes from './shell.module.css';
import { words } from './words.ts';

export function NavigationLinks() {
  const say = useWords(words);
  const { version } = useSession();
  const items = useNavigation();
  const groups = navigation.filter((group) => group.items.some((item) => items.includes(item)));
  return (
    <>
      {groups.map(({ name, items: inGroup }) => (
        <div key={name ?? 'home'} className={classes.group}>
          {name && (
            <div className={classes.groupTitle} id={`navigation-${name}`}>
              {say.group[name]}
            </div>
          )}
          <ul className={classes.links} aria-labelledby={name ? `navigation-${name}` : undefined}>
            {inGroup
              .filter((item) => items.includes(item))
              .map(({ name: page, to, icon: Icon }) => (
                <li key={to}>
                  <NavLink to={to} end={to === '/'} className={classes.link ?? ''}>
                    <Icon size={17} stroke={1.7} aria-hidden />
                    {say.nav[page]}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
      <div className={classes.foot}>{say.version(version)}</div>
    </>
  );
}

/** The pages that the operator may open. */
export function useNavigation(): NavigationItem[] {
  const may = { 'read-only': true, staff: useMay('staff'), admin: useMay('admin') };
  const isRestricted = useIsRestricted();
  return navigation
    .flatMap(({ items }) => items)
    .filter(({ needs, isWhole }) => may[needs] && !(isWhole && isRestricted));
}
