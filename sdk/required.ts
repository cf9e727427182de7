/** Reports a missing option, such as an environment variable that is not set, by its name before anything is sent. */
export function requireTexts<Options extends { url: string }>(
  options: Options,
  ...names: (keyof Options & string)[]
): void {
  for (const name of ['url' as const, ...names]) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`);
  }
  const placeholder = names.find((name) => String(options[name]).endsWith('...'));
  if (placeholder)
    throw new TypeError(`${placeholder} is still the placeholder from the guide: replace it with your own value`);
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url))
    throw new TypeError('url must be a URL such as https://lading.example');
}
