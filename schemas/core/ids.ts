/**
 * Public identifiers: a prefix that names the record's kind, then a 26-character ULID in lower case
 * (Crockford base32). They sort by creation time within one kind.
 */
import { z } from "zod";

export const idPrefixes = [
  "usr",
  "org",
  "team",
  "inv",
  "repo",
  "tok",
  "pipe",
  "stg",
  "job",
  "att",
  "step",
  "rnr",
  "reg",
  "evt",
  "log",
  "push",
  "ses",
  "eml",
  "mail",
  "key",
  "pky",
  "app",
  "grt",
  "ann",
  "prot",
  "sso",
  "idn",
  "lck",
  "hook",
  "dlv",
  "rot",
  "mirr",
  "pmir",
  "fsyn",
  "sync",
  "sched",
  "exp",
  "strm",
  "sec",
  "sval",
  "gate",
  "idk",
  "idt",
  "art",
  "slot",
  "cache",
  "env",
  "depl",
  "test",
  "shell",
  "plc",
  "sgk",
  "rgrp",
  "iss",
  "mr",
  "mqb",
  "cmt",
  "disc",
  "rply",
  "atm",
  "ntf",
  "rev",
  "thr",
  "lbl",
  "mst",
  "imp",
  "iarc",
  "iask",
  "brd",
  "flt",
  "gpg",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Schema of one kind of identifier, for example `idOf("pipe")`. */
export function idOf(prefix: IdPrefix) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
}

/** Owner and repository names; `decisions.md`, "Identifiers, names, times". Compared without case. */
export const nameRule =
  "Up to 100 letters, digits, hyphens, underscores and dots, not beginning with a hyphen or a dot.";
export const ownerName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/, nameRule);
export const repositoryName = z
  .string()
  .regex(
    /^(?!.*\.(?:git|lock)$)[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/,
    `${nameRule} It must not end in .git or .lock.`,
  );
