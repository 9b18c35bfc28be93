/** Text that people show each other in one line: no control characters, nothing that turns or hides what stands beside it. */
import { z } from "zod";

// Before the trimming, so that the OpenAPI document says exactly what is taken; without `\p{Cc}`, which others cannot read.
const plain =
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  /^[^\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]*$/;

export function displayText(maxLength: number) {
  return z
    .string()
    .regex(plain, "Control characters and characters that turn or hide text are not allowed.")
    .max(maxLength)
    .trim();
}
