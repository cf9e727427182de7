import type { IssuedLink } from '../../../contract/console/onboarding.ts';

/**
 * The link of each account that this page has issued. Only in memory: the address of the link is a secret, and neither
 * the history nor the storage of the browser may keep it.
 */
const links = new Map<string, IssuedLink>();

export function keepIssuedLink(accountNo: string, link: IssuedLink): void {
  links.set(accountNo, link);
}

export function issuedLinkOf(accountNo: string): IssuedLink | null {
  return links.get(accountNo) ?? null;
}
