import type { sharedWords } from '../../kit/shared-words.ts';
import type { words } from './words.ts';

type Shared = Pick<(typeof sharedWords)['en'], 'storageType'>;
type Say = Pick<(typeof words)['en'], 'unspecified'>;

/** A logistics system may use storage types that we do not know. They are shown unchanged. */
export function storageName(shared: Shared, say: Say, storageType: string): string {
  if (storageType === 'unspecified') return say.unspecified;
  return (shared.storageType as Record<string, string>)[storageType] ?? storageType;
}
