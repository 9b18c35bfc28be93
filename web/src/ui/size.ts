/** Sizes and counts for people. */
const sizeUnits = ["B", "KB", "MB", "GB", "TB"];
const count = new Intl.NumberFormat("en");

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), sizeUnits.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${sizeUnits[power]}`;
}

export function formatCount(value: number): string {
  return count.format(value);
}
