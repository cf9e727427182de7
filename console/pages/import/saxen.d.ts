declare module 'saxen' {
  type Decode = (text: string) => string;

  interface Hooks {
    openTag(name: string, attributes: () => Record<string, string>, decode: Decode): void;
    closeTag(name: string): void;
    text(value: string, decode: Decode): void;
    cdata(value: string): void;
    error(problem: Error): void;
  }

  export class Parser {
    on<Name extends keyof Hooks>(name: Name, hook: Hooks[Name]): this;
    parse(xml: string): this;
  }
}
