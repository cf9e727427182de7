/** The page on which a partner opens a link to its secrets. */
export const handoverPath = '/handover';
