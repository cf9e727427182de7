import { chromiumPackage, launcher, unpack } from './install-chromium-unpack.ts';
import { findInPath, isExecutable, provideUnpacked } from './unpacked-program.ts';

export const chromiumVariable = 'LADING_TEST_CHROMIUM';
/** The reason why there is no Chromium, passed on so that not every test tries to download it again. */
export const chromiumMissingVariable = 'LADING_TEST_CHROMIUM_MISSING';
const namesInPath = [chromiumPackage, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const debianChromium = {
  title: "Debian's Chromium for the browser tests",
  packages: [chromiumPackage],
  absent: /^chromium(-|$)/,
  folderName: 'lading-chromium',
  launcher,
  versionArguments: ['--version'],
  unpack,
};

/** Returns the path of a Chromium: the configured one, one in the PATH, or Debian's, which is downloaded once. */
export async function provideChromium(): Promise<string> {
  const missing = process.env[chromiumMissingVariable];
  if (missing) throw new Error(missing);
  const found = findNamed() ?? findInPath(namesInPath);
  if (found !== null) return found;
  try {
    return await provideUnpacked(debianChromium);
  } catch (error) {
    throw new Error(
      `no Chromium for the tests in a browser. Install one (as root: apt-get install chromium), or name one by ${chromiumVariable}. ` +
        `There is none in the PATH, and Debian's could not be fetched: ${(error as Error).message}`,
    );
  }
}

function findNamed(): string | null {
  const named = process.env[chromiumVariable];
  if (!named) return null;
  if (!isExecutable(named)) throw new Error(`${chromiumVariable} is ${named}, which cannot be executed`);
  return named;
}
