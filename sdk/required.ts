/** An option that is missing, such as an environment variable that is not set, is told by its name, before anything is sent. */
export function requireTexts<Options extends { url: string }>(options: Options, ...names: (keyof Options & string)[]): void {
  for (const name of ['url' as const, ...names]) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`);
  }
  const placeholder = names.find((name) => String(options[name]).endsWith('...'));
  if (placeholder) throw new TypeError(`${placeholder} is still the placeholder of the guide: put your own in its place`);
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url)) throw new TypeError('url must be such as https://lading.example');
}
