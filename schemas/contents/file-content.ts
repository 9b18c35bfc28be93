/** Bytes of a file as base64, padded, with or without line breaks. */
import { z } from "zod";

const maxFileBytes = 10 * 1024 * 1024;

export const fileContent = z
  .string()
  .refine((text) => isBase64(withoutLineBreaks(text)), {
    error: "The content is not padded base64.",
    abort: true,
  })
  .refine((text) => sizeOf(withoutLineBreaks(text)) <= maxFileBytes, {
    error: "A file can be at most 10 MiB.",
    params: { code: "too_long" },
  });

function withoutLineBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Of the bytes. */
function sizeOf(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
