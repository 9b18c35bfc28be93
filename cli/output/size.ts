/** Bytes as people read them. */

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

export function sizeOf(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ""}`;
}
