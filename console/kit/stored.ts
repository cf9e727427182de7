/** What a person has chosen in this browser; one that keeps nothing, or is full, is no reason to fail. */
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
    // The choice then lasts as long as the page.
  }
}
