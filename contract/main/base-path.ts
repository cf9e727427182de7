/** Below it live all operations with a bearer token. */
export const mainBasePath = '/api/v2/default';
