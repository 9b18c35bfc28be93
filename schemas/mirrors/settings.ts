/** What is set for mirrors of either direction. */
import { z } from "zod";
import { minIntervalMinutes, timestamp } from "../core/time.ts";

export const usualIntervalMinutes = 60;
export const usualRefs = ["refs/heads/*", "refs/tags/*"];

export const refPatterns = z.array(z.string().min(1).max(255)).min(1).max(50).default(usualRefs);

export const login = {
  credentials: z
    .strictObject({ username: z.string().min(1).max(255), password: z.string().min(1).max(4096) })
    .nullable()
    .optional()
    .describe(
      "For `https`; stored encrypted. Absent: those of before stay, if the address is on the same host. Null: none.",
    ),
  ssh_key: z
    .literal("generate")
    .optional()
    .describe("For `ssh`: make a new key. One is made anyway if there is none."),
  host_key: z
    .string()
    .max(4096)
    .nullable()
    .optional()
    .describe(
      "For `ssh`: the only host key to accept, such as `ssh-ed25519 AAAA…`. Absent: the one that is known for this host stays. Null: accept the one that is shown next.",
    ),
};

export const times = {
  interval_minutes: z
    .number()
    .int()
    .min(minIntervalMinutes)
    .max(43_200)
    .optional()
    .describe(`Default, unless \`cron\` is given: ${usualIntervalMinutes}.`),
  cron: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Five fields, in place of `interval_minutes`; every 5 minutes at most."),
  timezone: z.string().max(64).optional().describe("IANA name, of `cron`; default `UTC`."),
};

/** As they are shown. */
export const shownSettings = {
  interval_minutes: z.number().int().nullable(),
  cron: z.string().nullable(),
  timezone: z.string().nullable().describe("Of `cron`."),
  refs: z.array(z.string()),
  prune: z.boolean(),
  lfs: z.boolean(),
  username: z.string().nullable().describe("For `https`. The password is never shown."),
  host_key: z
    .string()
    .nullable()
    .describe("The only host key that is accepted, for `ssh`; null until the first connection."),
  host_key_fingerprint: z.string().nullable().describe("As `ssh-keygen -l` shows it."),
  next_sync_at: timestamp
    .nullable()
    .describe("Null while it is paused, or the repository is archived, or Temporal does not answer."),
};

/** Of an object with `times`. */
export function agreeOnTimes(
  { interval_minutes: minutes, cron, timezone }: Partial<Record<keyof typeof times, unknown>>,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message, params: { code: "contradiction" } });
  if (minutes !== undefined && cron !== undefined)
    refuse("cron", "Give either `interval_minutes` or `cron`.");
  if (timezone !== undefined && cron === undefined) refuse("timezone", "This requires `cron`.");
}
