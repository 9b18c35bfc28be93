/** Whole numbers in a query, where all is text. */
import { z } from "zod";

/** Written in digits alone: `1e3` and an empty text are numbers for JavaScript and mistakes for who wrote them. */
function ofDigits(text: unknown): unknown {
  return typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : text;
}

/** Bounds are included; without `max` the greatest whole number that JavaScript holds. */
export function wholeNumber({ min, max }: { min: number; max?: number }) {
  const number = z.number().int().min(min);
  return z.preprocess(ofDigits, max === undefined ? number : number.max(max));
}
