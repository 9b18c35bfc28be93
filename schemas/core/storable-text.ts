/** Text that PostgreSQL can store. */
import { z } from "zod";

export function storableText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "This cannot be stored.");
}
