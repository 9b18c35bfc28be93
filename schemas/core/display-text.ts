/**
 * Text that people show each other in one line: no control characters, nothing that turns or hides what stands beside it,
 * nothing invisible but the two joiners that Persian, Indic scripts and emoji are written with.
 */
import { z } from "zod";

// Before the trimming, so that the OpenAPI document says exactly what is taken; without `\p{Cc}`, which others cannot read.
const plain =
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  /^[^\u034f\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]*$/;
// Letters that tag others and are never seen; their own step, since not everyone reads such ranges alike.
const tags = /[\u{e0000}-\u{e0fff}]/u;
/** Letters have few marks; a pile of them covers what stands above and below. */
const pileOfMarks = /\p{M}{11}/u;
const marksMessage = "A letter can have at most 10 marks.";
const message = "Control characters and characters that turn or hide text are not allowed.";

export function displayText(maxLength: number) {
  return z
    .string()
    .regex(plain, message)
    .refine((text) => !tags.test(text), message)
    .refine((text) => !pileOfMarks.test(text), marksMessage)
    .max(maxLength)
    .trim();
}
