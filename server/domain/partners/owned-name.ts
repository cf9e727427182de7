/**
 * The name of something that belongs to an account: `ALPHA/wms`. Both parts may contain a slash, so in the number of the
 * account a slash is written as %2F and a percent sign as %25: the first slash always ends the number.
 */
export function ownedName(accountNo: string, name: string): string {
  return `${accountNo.replaceAll('%', '%25').replaceAll('/', '%2F')}/${name}`;
}

export function accountNoOf(ownedName: string): string {
  return ownedName.split('/', 1)[0]!.replaceAll('%2F', '/').replaceAll('%25', '%');
}
