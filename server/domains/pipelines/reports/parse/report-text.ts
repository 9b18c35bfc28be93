/** Text of reports: decoded, and fit for the database and for pages. */
import { ReportError } from "./found.ts";

/** Throws `ReportError` where the bytes are not of this encoding, or there is no such encoding. */
export function decodeText(bytes: Uint8Array, encoding = "utf-8"): string {
  const decoder = decoderOf(encoding);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ReportError(`it is not valid ${encoding.toUpperCase()} text`);
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new ReportError(`its encoding ${JSON.stringify(encoding.slice(0, 40))} is not known`);
  }
}

/** Without what the database cannot hold; cut in whole characters. */
export function shortened(text: string, maxChars: number): string {
  const sound = text.replaceAll("\0", "").toWellFormed();
  if (sound.length <= maxChars) return sound;
  return `${sound.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** null for nothing. */
export function shortenedOrNull(text: string | null | undefined, maxChars: number): string | null {
  const short = shortened(text ?? "", maxChars).trim();
  return short === "" ? null : short;
}
