const units = ["B", "kB", "MB", "GB", "TB"];

/** Bytes as people read them in logs: `147 B`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ""}`;
}
