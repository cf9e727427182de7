/** The possible mistakes in a field. Each is the key of its text. */
export type FieldMistake =
  | 'required'
  | 'name'
  | 'tenant'
  | 'title'
  | 'number'
  | 'seconds'
  | 'receiveAfter'
  | 'percent'
  | 'timeOfDay'
  | 'overDelivery'
  | 'days'
  | 'url';
export type FieldCheck = (text: string) => FieldMistake | null;

/** The same rules as on the server, to show mistakes before sending. */
export const checkName: FieldCheck = (text) => (text === '' ? 'required' : /^[!-~]{1,64}$/.test(text) ? null : 'name');
export const checkTenant: FieldCheck = (text) =>
  text === '' ? 'required' : /^\P{Cc}{1,125}$/u.test(text) ? null : 'tenant';
export const checkTitle: FieldCheck = (text) => (/^\P{Cc}{0,200}$/u.test(text) ? null : 'title');
export const checkPicked: FieldCheck = (text) => (text === '' ? 'required' : null);
export const checkUrl: FieldCheck = (text) =>
  text === '' ? 'required' : /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? null : 'url';
/** Empty: there is no URL. */
export const checkOptionalUrl: FieldCheck = (text) => (text === '' ? null : checkUrl(text));

export const checkUrlIfGiven: FieldCheck = (text) => (text === '' ? null : checkUrl(text));

export const checkNumber: FieldCheck = (text) =>
  text === '' ? 'required' : wholeFrom(text, 1, 2_147_483_647) ? null : 'number';
export const checkSeconds: FieldCheck = (text) => (text === '' || wholeFrom(text, 1, 86_400) ? null : 'seconds');
export const checkReceiveAfter: FieldCheck = (text) =>
  text === '' || wholeFrom(text, 0, 86_400) ? null : 'receiveAfter';
export const checkTimeOfDay: FieldCheck = (text) =>
  text === '' || /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? null : 'timeOfDay';
export const checkPercent: FieldCheck = (text) => (text === '' || wholeFrom(text, 0, 100) ? null : 'percent');
export const checkOverDelivery: FieldCheck = (text) =>
  text === '' || wholeFrom(text, 0, 1000) ? null : 'overDelivery';
export const checkDays: FieldCheck = (text) => (text === '' || wholeFrom(text, 0, 36_500) ? null : 'days');

function wholeFrom(text: string, least: number, most: number): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;
}
