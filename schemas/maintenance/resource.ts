/** Maintenance of a repository's storage: what was done, what is asked for, what a check found. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";

export const MaintenanceState = z
  .enum(["idle", "waiting", "running", "failed", "damaged"])
  .describe(
    "`waiting`: asked for and not begun; `failed`: the last try ended early, see `problem`; `damaged`: the last check found objects that cannot be read.",
  );
export type MaintenanceState = z.infer<typeof MaintenanceState>;

export const Maintenance = z
  .object({
    repository: z.string().describe("`OWNER/NAME`."),
    state: MaintenanceState,
    requested_at: timestamp.nullable().describe("When it was requested; null if no request is pending."),
    maintained_at: timestamp.nullable().describe("When its storage was last maintained."),
    repacked_at: timestamp.nullable().describe("When all objects were last put into one pack."),
    pruned_at: timestamp.nullable().describe("When unreachable objects were last removed on request."),
    checked_at: timestamp.nullable().describe("When every object was last read and verified."),
    problem: z.string().nullable().describe("Why the last try failed."),
    damage: z.array(z.string()).describe("What the last check found, in Git's words."),
    loose_objects: z.number().int(),
    packs: z.number().int(),
  })
  .meta({
    id: "Maintenance",
    examples: [
      {
        repository: "acme/website",
        state: "idle",
        requested_at: null,
        maintained_at: "2026-11-21T09:00:00.000Z",
        repacked_at: "2026-11-17T03:00:00.000Z",
        pruned_at: null,
        checked_at: "2026-11-17T03:01:00.000Z",
        problem: null,
        damage: [],
        loose_objects: 12,
        packs: 2,
      },
    ],
  });
export type Maintenance = z.infer<typeof Maintenance>;

export const MaintenanceRequest = z
  .strictObject({
    prune: z
      .boolean()
      .default(false)
      .describe(
        "Also permanently remove objects that no branch or tag reaches, for example a secret whose commit was pushed by mistake and then removed. Objects written in the last ten minutes stay.",
      ),
  })
  .meta({ id: "MaintenanceRequest", examples: [{ prune: true }] });
export type MaintenanceRequest = z.output<typeof MaintenanceRequest>;
