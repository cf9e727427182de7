/**
 * The PostgreSQL programs that this version of Lading runs. Written by `npm run pin-postgres`. Both packages for macOS have
 * the same programs, which are universal binaries.
 */
export const pinnedBinaries: { version: string; digests: Record<string, string> } = {
  version: '18.4.0-beta.17',
  digests: {
    'darwin-arm64': '04a191156b75aa8ac2a415402c29ef7278cd5da49b69c7e70b725f97dced3a3e',
    'darwin-x64': '04a191156b75aa8ac2a415402c29ef7278cd5da49b69c7e70b725f97dced3a3e',
    'linux-arm64': 'c91a4dc922dda6acb2614a49e446d0e086f55da2a23da5ed0716c6a073d5d7e9',
    'linux-x64': 'f2acb87fb2e8ee4322a65cd3d2028026ab2cb4f498a7778585a9a42aba128c40',
  },
};
