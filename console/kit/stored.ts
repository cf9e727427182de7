/** Preferences stored in this browser. Missing or full storage is not an error. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`lading.${name}`);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string): void {
  try {
    localStorage.setItem(`lading.${name}`, value);
  } catch {
    // The preference then lasts until the page is closed.
  }
}
