/** Where to go after the sign-in: a path of the console and nothing else, since the address may have been sent by a stranger. */
export function safeReturnPath(given: string | null): string {
  if (given === null || !given.startsWith('/') || given.startsWith('//') || /[\\\p{Cc}]/u.test(given)) return '/';
  return given.startsWith('/sign-in') ? '/' : given;
}

export function signInPath(here: { pathname: string; search: string }): string {
  const path = here.pathname + here.search;
  return path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`;
}
