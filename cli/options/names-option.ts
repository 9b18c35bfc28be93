/** Options that take several names: given several times, separated by commas, or as several words. */
import { Option } from "commander";
import { collect } from "./collect.ts";

export function namesOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(collect);
}

/** How it was spelled before; it still works. */
export function formerNamesOption(flags: string): Option {
  return new Option(flags).argParser(collect).hideHelp();
}

/** Undefined: neither spelling was given. */
export function bothOf(present: string[] | undefined, former: string[] | undefined): string[] | undefined {
  return present && former ? [...present, ...former] : (present ?? former);
}
