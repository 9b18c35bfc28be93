/** Times on the wire: ISO 8601, UTC, milliseconds and `Z`. */
import { z } from "zod";

/** What users set to come again and again comes no more often: it would hardly end before the next time. */
export const minIntervalMinutes = 5;

export const timestamp = z.iso.datetime({ precision: 3 });

const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** A moment that somebody names, at any offset; parsed into UTC with milliseconds. Its year there is 0001 to 9999. */
export const givenTime = z.iso
  .datetime({ offset: true })
  // What is no time at all is told by its format alone.
  .refine((text) => !(Date.parse(text) < earliest || Date.parse(text) > latest), {
    error: "The year must be from 0001 to 9999, in UTC.",
  })
  .transform((text) => new Date(text).toISOString());

/** A day that somebody names, from the same years. */
export const givenDate = z.iso
  .date()
  .refine((text) => !text.startsWith("0000"), { error: "The year must be from 0001 to 9999." });
