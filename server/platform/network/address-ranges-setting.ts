/** A setting that is a list of addresses and ranges. */
import { z } from "zod";
import { parseAddressRanges } from "./address-ranges.ts";

export function addressRangesSetting(text: string) {
  return z
    .string()
    .default("")
    .refine((list) => parseAddressRanges(list).problem === undefined, {
      error: (issue) => parseAddressRanges(String(issue.input)).problem ?? "invalid",
    })
    .describe(text);
}
