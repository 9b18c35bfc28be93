/** Concurrency groups as the REST interface shows them: who holds a slot, and who waits for one in which order. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const ConcurrencyScope = z.enum(["repo", "org"]).meta({ id: "ConcurrencyScope" });

export const ConcurrencySlot = z
  .object({
    id: idOf("slot"),
    state: z
      .enum(["expected", "waiting", "held", "superseded"])
      .describe(
        "`expected`: a run that does not need the slot yet. With `order: created`, later runs do not overtake it, unless it has to wait for an approval first. `superseded`: about to be cancelled for a newer run.",
      ),
    since: timestamp.describe("Since when it is held, waits or is expected."),
    repository: z
      .string()
      .nullable()
      .describe("`OWNER/NAME`. Null for another repository of the organization, unless an owner asks."),
    pipeline: z
      .object({ id: idOf("pipe"), number: z.number().int(), url: z.string(), web_url: z.string() })
      .nullable()
      .describe("The run; null where `repository` is."),
    stage: z
      .string()
      .nullable()
      .describe(
        "The stage that has the slot, or whose job has it; null for a whole run, and where `repository` is.",
      ),
    job: z
      .object({ id: idOf("job"), key: z.string(), name: z.string() })
      .nullable()
      .describe("The job that has the slot; null for a stage or a whole run, and where `repository` is."),
    superseded: z
      .string()
      .nullable()
      .describe("`superseded:#<run>` when it is being cancelled for a newer run, else null."),
  })
  .meta({ id: "ConcurrencySlot" });
export type ConcurrencySlot = z.infer<typeof ConcurrencySlot>;

export const ConcurrencyGroup = z
  .object({
    group: z.string(),
    scope: ConcurrencyScope.describe("`org`: shared by the repositories of an organization."),
    limit: z.number().int().describe("How many slots it has; the highest of those who use it now."),
    holders: z.array(ConcurrencySlot),
    queue: z.array(ConcurrencySlot).describe("Who waits or is expected, in their order; the first 100."),
    queue_length: z.number().int(),
  })
  .meta({ id: "ConcurrencyGroup" });
export type ConcurrencyGroup = z.infer<typeof ConcurrencyGroup>;

/** Of a job that waits for a slot. */
export const ConcurrencyWait = z
  .object({
    group: z.string(),
    scope: ConcurrencyScope,
    since: timestamp,
    ahead: z.number().int().describe("How many get a slot before it."),
    holders: z.array(ConcurrencySlot),
  })
  .meta({ id: "ConcurrencyWait" });
export type ConcurrencyWait = z.infer<typeof ConcurrencyWait>;
