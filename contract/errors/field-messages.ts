import { allContracts, type CataloguedMessage } from './catalogued-message.ts';

type Row = [message: string, cause: string, cure: string];

const trimmed = 'Trim it, and shorten it to the length; characters are counted, not bytes.';

/** Any field of any body. */
const anyField: Row[] = [
  ['is missing', 'The field is not in the body, or is spelled otherwise.', 'Send it; names are compared exactly, case included.'],
  ['must be string', 'It is a number, a list, `null` or something else.', 'Send text in quotes: `"1001"`, not `1001`.'],
  ['must be integer', 'It is text, or has decimals.', 'Send a whole number without quotes: `3`, not `"3"`.'],
  ['must be number', 'It is text or something else.', 'Send a number without quotes.'],
  ['must be boolean', 'It is text, a number or something else.', 'Send `true` or `false` without quotes.'],
  ['must be object', 'It is a list, a text or something else.', 'Send an object: `{...}`.'],
  ['must be array', 'It is a single value.', 'Send a list: `[...]`, even of one.'],
  ['must be null', 'Only `null` fits here.', 'Send `null`, or leave the field out.'],
  ['must be one of <values>', 'The value is none of those that are named.', 'Send one of them, to the letter; numbers without quotes.'],
  ['must be >= <limit>', 'The number is too small.', 'Send one in the range; leave a line out rather than send 0 units.'],
  ['must be <= <limit>', 'The number is too large.', 'Send one in the range; look at its unit.'],
  [
    'must not have fewer than <limit> items',
    'The list is empty.',
    'Send at least so many; leave the call out where there is nothing to say.',
  ],
  ['must not have more than <limit> items', 'The list is too long.', 'Split it over several calls.'],
  ['must not have more than <limit> characters', 'The text is too long.', 'Shorten it.'],
  ['must be 1-<limit> characters', 'It is empty or too long.', 'Send it as you got it from the operator.'],
  [
    'must be 1-<limit> characters, without control, zero-width or bidirectional characters and without white space at either end',
    'It is an identifier, and those are compared exactly. It is empty, too long, has a character that cannot be seen, or a space before or behind it.',
    trimmed,
  ],
  [
    'must be at most <limit> characters, without control, zero-width or bidirectional characters and without white space at either end',
    'It is an identifier, which may be empty. It is too long, has a character that cannot be seen, or a space before or behind it.',
    trimmed,
  ],
  [
    'must be 1-<limit> characters, not blank, without control characters other than line breaks and tabs, which become spaces',
    'It is empty, too long, has a control character, or has nothing but spaces.',
    'Remove control characters; shorten it.',
  ],
  [
    'must be at most <limit> characters, without control characters other than line breaks and tabs, which become spaces',
    'It is too long, or has a control character.',
    'Remove control characters; shorten it.',
  ],
  [
    'must be at most <limit> characters, without control characters other than line breaks and tabs',
    'It is too long, or has a control character.',
    'Remove control characters; shorten it.',
  ],
  [
    'must be a date, YYYY-MM-DD',
    'It is no day of the calendar in this form: `2027-02-30`, `2027/02/28`, or with a time.',
    'Send `2027-02-28`; leave `expire_date` out for goods that do not expire.',
  ],
  [
    'must be a time as in RFC 3339, with its offset and at most 6 decimals',
    'It is no time in this form; often the offset is missing.',
    'Send `2026-11-15T09:30:00+08:00`.',
  ],
  ['must be an absolute http(s) URL', 'It is no whole address with its scheme, or has spaces.', 'Send `https://host/path`.'],
  ['must be a UUID in lower case', 'It is no number of an event.', 'Send `event_id` as it came.'],
];

const warehouseAndMain = ['warehouse', 'main'] as const;
const announce = ['inboundCreate', 'inboundReturn'];
const searches = ['searchStocks', 'searchProducts', 'searchOrders', 'searchInbounds', 'searchCallbacks', 'callbacksRedeliver'];

type OwnRow = [contracts: CataloguedMessage['contracts'], operations: string[], ...Row];

/** Fields with a rule of their own. */
const ownRules: OwnRow[] = [
  [
    ['warehouse'],
    announce,
    'must equal the sum of the qty of its expires',
    '`qty` of a detail is not what its `expires` add up to.',
    'Leave `qty` out, or send the sum.',
  ],
  [
    ['warehouse'],
    announce,
    'must not have more than <limit> expires in all',
    'The `expires` of all details together are too many for one document.',
    'Split the document; each part has a number of its own.',
  ],
  [
    ['logistics'],
    ['shippingOrder'],
    'must be at most 64 KiB of JSON',
    '`store_pickup_label_data` is too large.',
    'Send what the label needs; send no images.',
  ],
  [
    ['logistics'],
    ['shippingOrder', 'inboundForm'],
    'must be an http(s) URL',
    'The address has another scheme.',
    'Send one of http or https.',
  ],
  [
    ['logistics'],
    ['shippingOrder', 'inboundForm'],
    'must not contain a user name or a password',
    'The address has a part such as `user:password@`.',
    'Leave it out; verify our signature instead.',
  ],
  [
    ['logistics'],
    ['shippingOrder', 'inboundForm'],
    'must not use port 0',
    'Nothing can listen on port 0.',
    'Name the port of your receiver.',
  ],
  [
    ['logistics'],
    ['shippingOrder', 'inboundForm'],
    'must not point to a private or reserved address',
    'The address is not on the public internet; `localhost` is our own machine, not yours.',
    'Send a public address, or ask the operator to allow your network (`CALLBACK_ALLOW_CIDRS`).',
  ],
  [
    ['main'],
    ['ordersCancel'],
    'is missing; or name orders by internal_names',
    'Neither of the two lists is there.',
    'Send `outbound_short_ids`, `internal_names`, or both.',
  ],
  [
    ['main'],
    ['inboundsCancel'],
    'is missing; or name documents by form_nos',
    'Neither of the two lists is there.',
    'Send `inbound_short_ids`, `form_nos`, or both.',
  ],
  [
    ['main'],
    ['inboundsReceive', 'inboundsStop'],
    'is missing; or name the document by form_no',
    'No document is named.',
    'Send `inbound_short_id` or `form_no`.',
  ],
  [
    ['main'],
    ['inboundsReceive', 'inboundsStop'],
    'must not stand beside inbound_short_id',
    'Two documents are named.',
    'Send one of `inbound_short_id` and `form_no`.',
  ],
  [
    ['main'],
    ['inboundsReceive'],
    'must not be empty, unless final is true',
    'Nothing is said to have arrived.',
    'Send what has arrived, or `final: true` where nothing more will.',
  ],
  [
    ['main'],
    ['fulfilmentAdvance'],
    'is missing, or internal_name',
    'A report names no order.',
    'Send `outbound_short_id` or `internal_name`.',
  ],
  [
    ['main'],
    ['fulfilmentAdvance'],
    'must not be given as well',
    'A report names two orders.',
    'Send one of `outbound_short_id` and `internal_name`.',
  ],
  [
    ['main'],
    searches,
    '<key> is not a filter of this list; there are <filters>',
    'The list cannot be searched by that field, or the field lacks the prefix of its list.',
    'Use one of the filters that are named, such as `orders.status`.',
  ],
  [['main'], searches, 'must have 1 to <limit> values', 'The list of values is empty or too long.', 'Ask in several calls.'],
  [
    ['main'],
    searches,
    'must be a value, or a list of values',
    'This field is found by the whole of it only.',
    'Send the value itself, or a list of values, without an operator.',
  ],
  [
    ['main'],
    searches,
    'must name an operator: <operators>',
    'The object of the filter is empty.',
    'Send one of those that are named, such as `{"gte": ...}`.',
  ],
  [
    ['main'],
    searches,
    '<key> is not an operator of this filter; there are <operators>',
    'The field cannot be compared so.',
    'Use one of those that are named.',
  ],
  [
    ['main'],
    searches.slice(0, -1),
    'must be a field, or "-" and a field; there are <fields>',
    '`sort` is no text.',
    'Send one of those that are named, such as `"-created_at"`.',
  ],
  [
    ['main'],
    searches.slice(0, -1),
    '<key> is not a sort key of this list; there are <fields>',
    'The list cannot be sorted by that field.',
    'Use one of those that are named; `-` before it for descending order.',
  ],
  [
    ['main'],
    searches.slice(0, -1),
    'must be a whole number from 1 to <limit>',
    'The page would be too large, or is no number.',
    'Ask for at most 500 rows, and go on by `next_cursor`.',
  ],
  [
    ['main'],
    searches.slice(0, -1),
    'must be the next_cursor of an earlier answer; leave it out for the first page',
    'The cursor is empty, `null`, too long or no text.',
    'Leave `cursor` out for the first page; then send `next_cursor` as it came.',
  ],
  [
    ['main'],
    searches.slice(0, -1),
    'is not of this search: same list, filters and sort',
    'The cursor comes from another search, or is no cursor at all.',
    'Send the same filters and the same `sort` with every page, or begin anew without a cursor.',
  ],
  [['main'], ['callbacksRedeliver'], 'is for searching only', 'A redelivery has no pages.', 'Leave `page_size`, `cursor` and `sort` out.'],
  [['main'], ['callbacksRedeliver'], 'must be true or false', '`dry_run` is text or a number.', 'Send `true` or `false` without quotes.'],
  [
    ['main'],
    ['callbacksRedeliver'],
    'is missing; or say by filters which',
    'Nothing says which callbacks.',
    'Send `event_ids`, or filters such as `{"callbacks.status": "failed"}`.',
  ],
  [
    ['main'],
    ['callbacksRedeliver'],
    'must not be given together with filters',
    'There are both `event_ids` and filters.',
    'Send one of the two.',
  ],
  [
    warehouseAndMain,
    [...announce, 'outboundCreate', 'ordersCreate'],
    'already in use',
    'The number belongs to another account. What document it is is not shown.',
    'Use another number; a prefix of your own avoids it.',
  ],
  [
    ['main', 'logistics'],
    ['inboundsReceive', 'inboundsStop', 'inboundForm'],
    'not found',
    'You have no document of that number.',
    'Send it first. Numbers of the warehouse API are `inbound_short_id`, those of the logistics webhook `form_no`.',
  ],
  [
    ['main', 'logistics'],
    ['inboundsStop', 'inboundForm'],
    'is <status> already; receiving cannot be stopped',
    'The document is received or cancelled; there is nothing left to stop.',
    'Nothing needs to be done.',
  ],
  [
    ['main'],
    ['inboundsReceive'],
    'is <status> already; nothing more can be received',
    'The document is received, stopped or cancelled; one of a UAT account is received with its creation.',
    'Announce what else arrives with a new document.',
  ],
  [
    ['main'],
    ['inboundsReceive'],
    'has come in <portions> portions already; say final, or stop it',
    'Each call that counts is a portion, and a document can have only so many.',
    'Report more units per call; end the document by `final: true` or `inbounds/stop`.',
  ],
];

export const fieldMessages: CataloguedMessage[] = [
  ...anyField.map(([message, cause, cure]) => ({ contracts: allContracts, status: 400, message, cause, cure, about: 'field' as const })),
  ...ownRules.map(([contracts, operations, message, cause, cure]) => ({
    ...{ contracts, operations, status: 400, message, cause, cure },
    about: 'field' as const,
  })),
];
