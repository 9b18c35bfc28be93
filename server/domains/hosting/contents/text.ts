/** What kind of bytes a file holds. */

/** As Git itself tells: a NUL among the first 8000 bytes. */
export function looksBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

export const downloadType = "application/octet-stream";

/** `text/plain` for UTF-8 without harmful control characters; never a type that a browser would run. */
export function rawContentType(beginning: Buffer): string {
  if (looksBinary(beginning)) return downloadType;
  try {
    // The beginning may end inside a character, which `stream` allows.
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return "text/plain; charset=utf-8";
  } catch {
    return downloadType;
  }
}
