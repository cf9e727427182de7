import { bodyErrors } from './body-errors.ts';
import { businessErrors } from './business-errors.ts';
import { fieldErrors } from './field-errors.ts';
import { messagesOf, type Texts } from './message.ts';
import type { rejectionTexts } from './rejection-texts.ts';
import { requestErrors } from './request-errors.ts';

/** The messages that partners can receive, their causes and their fixes (Markdown), by code. */
export const errors = { ...requestErrors, ...bodyErrors, ...businessErrors, ...fieldErrors };

export type ErrorCode = keyof typeof errors;

/** A rule of a schema, after the field that violates it if the rule is about a whole object: `.qty qty_not_sum`. */
export type BrokenRule = RuleCode | `.${string} ${RuleCode}`;
type RuleCode = ErrorCode | keyof typeof rejectionTexts;

const entries = Object.entries(errors);

const messageTexts = Object.fromEntries(entries.map(([code, { message }]) => [code, message])) as {
  [Code in ErrorCode]: (typeof errors)[Code]['message'];
};
export const errorMessage = messagesOf(messageTexts);

export const errorTexts: Texts = messageTexts;
export const explanationTexts: Texts = Object.fromEntries(
  entries.flatMap(([code, { cause, fix }]) => [
    [`${code}.cause`, cause],
    [`${code}.fix`, fix],
  ]),
);
