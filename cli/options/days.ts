/** Days until something ends, as people write them. */
import { UsageError } from "../connection/settings.ts";

/** Null for `never`. */
export function parseDays(text: string): number | null {
  if (text === "never") return null;
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`"${text}" is neither a number of days nor never`);
  return Number(text);
}
