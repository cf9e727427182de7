const browsers: [name: string, form: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* .*Safari\//],
];
const systems: [name: string, form: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];

/** Returns "Chrome 139, Windows" for a user agent; null if it is unknown. */
export function browserName(userAgent: string): string | null {
  const browser = browsers
    .map(([name, form]) => [name, form.exec(userAgent)?.[1]])
    .find(([, version]) => version !== undefined);
  const system = systems.find(([, form]) => form.test(userAgent))?.[0];
  const text = [browser?.join(' '), system].filter((part) => part !== undefined).join(', ');
  return text === '' ? null : text;
}
