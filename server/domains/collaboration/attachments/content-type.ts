/** What a file is, told from its first bytes alone: names and headers of uploaders are not believed. */
import { downloadType, rawContentType } from "../../hosting/domain.ts";

/** As many as are looked at. */
export const beginningBytes = 8192;

/** What begins so, and, `at` another offset, goes on so. Latin-1. */
const magic: readonly (readonly [type: string, begin: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/avif", "ftypavif", 4],
  ["image/avif", "ftypavis", 4],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1aE\xdf\xa3"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
];

/** Those that a page may show: nothing in them is ever run. */
const pictures: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

/** SVG and HTML are text. */
export function contentTypeOf(beginning: Buffer): string {
  const start = beginning.toString("latin1", 0, 64);
  const known = magic.find(([, begin, at = 0]) => start.startsWith(begin, at));
  if (known) return known[0];
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "image/webp";
  return beginning.length === 0 ? downloadType : rawContentType(beginning);
}

export function isPicture(contentType: string): boolean {
  return pictures.has(contentType);
}
