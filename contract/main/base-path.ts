/** The base path of all operations that require a bearer token. */
export const mainBasePath = '/api/v2/default';
