/** An option that is missing, such as an environment variable that is not set, is told by its name, before anything is sent. */
export function requireTexts<Options extends object>(options: Options, ...names: (keyof Options & string)[]): void {
  for (const name of names) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`);
  }
}
