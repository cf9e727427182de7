export const callbackStatuses = ['pending', 'delivered', 'failed'] as const;
export type CallbackStatus = (typeof callbackStatuses)[number];
export const documentTypes = ['order', 'inbound', 'return'] as const;
export type DocumentType = (typeof documentTypes)[number];
