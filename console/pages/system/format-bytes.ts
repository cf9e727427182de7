const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** 512 B, 8.3 MiB, 120 GiB. */
export function formatBytes(bytes: number): string {
  const place = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** place;
  return `${place === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[place]}`;
}
