/** A text for people that is stored and sent as a code with its values; a table has the text in each language. */
export interface Message {
  code: string;
  params?: { [name: string]: Param };
}

export type Param = string | number | Message | Message[];

/** Both texts name their params as {name}. */
export type Texts = Readonly<Record<string, readonly [english: string, chinese: string]>>;

type ParamNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type ParamsOf<Text> = [ParamNames<Text>] extends [never] ? [] : [params: { [Name in ParamNames<Text>]: Param }];

/** Makes messages of a table; a code without its params does not compile. */
export function messagesOf<T extends Texts>(_texts: T) {
  return <Code extends keyof T & string>(code: Code, ...[params]: ParamsOf<T[Code][0]>): Message =>
    params === undefined ? { code } : { code, params };
}

/** For a text column. Text that is not ours stays as it is. */
export function storeMessage(message: Message | string): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** Rows from before messages had codes, and text that is not ours, come back as text. */
export function readMessage<Stored extends string | null>(stored: Stored): Message | Stored {
  if (!stored?.startsWith('{"code":"')) return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}

/** Cause and fix of an error in the catalogue. */
export function explainError(error: string): { cause: Message; fix: Message } {
  return { cause: { code: `${error}.cause` }, fix: { code: `${error}.fix` } };
}
