/** The bytes of `content`, which is base64 with or without line breaks. */
import { invalidField } from "../../../platform/app-error.ts";

export const maxFileBytes = 10 * 1024 * 1024;

/** Throws `validation_failed` for what is not base64 or larger than 10 MiB. */
export function decodeContent(content: string): Buffer {
  const text = content.replaceAll(/[\r\n]/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw invalidField("content", "invalid", "The content is not padded base64.");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > maxFileBytes) throw invalidField("content", "too_long", "A file can be at most 10 MiB.");
  return bytes;
}
