/** Sizes of files for people. */
const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** In units of 1,024, as the command line shows them: for a file that people compare with what it says. */
export function formatFileBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
