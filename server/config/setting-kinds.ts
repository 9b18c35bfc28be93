/** Kinds of settings that several themes have, and how their values are read. */
import { isIP } from "node:net";
import { z } from "zod";
import { Secret } from "../platform/secret.ts";

export const port = (text: string) => z.coerce.number().int().min(0).max(65_535).describe(text);

export const milliseconds = (text: string) => z.coerce.number().int().min(1).max(86_400_000).describe(text);

export const httpsUrl = (text: string) =>
  z
    .string()
    .regex(/^https:\/\/[^/?#@\s]+$/, "must be https://HOST or https://HOST:PORT, without a path")
    .describe(text);

export const addressList = (text: string) =>
  z
    .string()
    .refine(
      (list) => splitList(list).every((entry) => isIP(entry) > 0),
      "must be IP addresses, comma separated",
    )
    .describe(text);

/** What need not be set. */
export const optionalText = (text: string) => z.string().optional().describe(text);

export function secretOf(value: string | undefined): Secret | undefined {
  return value === undefined ? undefined : new Secret(value);
}

export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
