/** Text that people show each other in one line: no control characters, nothing that turns or hides what stands beside it. */
import { z } from "zod";

const hidden = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

export function displayText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !hidden.test(text), {
      error: "Control characters and characters that turn or hide text are not allowed.",
    });
}
