/** Fields of records of other hosts: of the right type, or the whole record cannot be read. */
import { z } from "zod";

const earliest = Date.parse("1970-01-01T00:00:00Z");
const latest = Date.parse("2200-01-01T00:00:00Z");

export const text = z.string();
/** Null and absent are an empty text. */
export const textOrNone = z
  .string()
  .nullish()
  .transform((given) => given ?? "");
export const number = z.number().int().min(1).max(2_000_000_000);
export const id = z.union([z.number().int(), z.string().max(200)]).transform(String);
export const idOrNone = id.nullish().transform((given) => given ?? null);
export const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? false);

export const time = z.string().transform((given, context) => {
  const ms = Date.parse(given);
  if (ms >= earliest && ms <= latest) return new Date(ms);
  context.addIssue("no time");
  return z.NEVER;
});
export const timeOrNone = time.nullish().transform((given) => given ?? null);

/** Null for anything else. */
export const commit = z
  .string()
  .regex(/^[0-9a-f]{40}$/)
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);

export const day = z
  .string()
  .nullish()
  .transform((given) => /^[12]\d{3}-\d\d-\d\d/.exec(given ?? "")?.[0] ?? null)
  .transform((given) => (given !== null && Number.isNaN(Date.parse(given)) ? null : given));

export const line = z
  .number()
  .int()
  .min(1)
  .max(2_000_000_000)
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);

/** At most the first `max` are looked at: each record costs time, and millions of empty ones fit into an answer. */
export const few = <T extends z.ZodType>(record: T, max: number) =>
  z
    .array(z.unknown())
    .transform((given) => given.slice(0, max))
    .pipe(z.array(record));

/** Six hexadecimal digits, with or without `#`. */
export const color = z
  .string()
  .nullish()
  .transform((given) => /^#?([0-9a-f]{6})$/i.exec(given ?? "")?.[1]?.toLowerCase() ?? null);

/** Whose account is gone is called `ghost` by GitHub. */
const nobody = "ghost";
export const loginOf = (
  user: { login?: string | undefined; username?: string | undefined } | null | undefined,
): string => (user?.login ?? user?.username ?? nobody).slice(0, 100).replaceAll(/[^\x21-\x7e]/g, "?");
