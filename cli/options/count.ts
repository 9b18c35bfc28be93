/** Whole numbers from 1 on, as options take them: counts, pages, positions. */
import { InvalidArgumentError } from "commander";

/** Commander names the option, and ends with exit status 2. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return Number(text);
}
