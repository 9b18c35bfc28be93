/** Shells into jobs, and containers that are kept for one when a job fails. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** No terminal of a person is larger. */
export const maxTerminalSide = 1_000;
const side = z.int().min(1).max(maxTerminalSide);

export const ShellOpen = z
  .strictObject({
    columns: side.default(80).describe("Width of the terminal."),
    rows: side.default(24).describe("Height of the terminal."),
  })
  .meta({ id: "ShellOpen" });
export type ShellOpen = z.infer<typeof ShellOpen>;

export const Shell = z
  .object({
    id: idOf("shell"),
    job: z.object({ id: idOf("job"), key: z.string(), name: z.string() }),
    attempt: z.number().int(),
    log: z.string().describe("Name of its log among the steps of the job: what was seen in the shell."),
    ticket: z.string().describe("Opens the socket once, within a minute."),
    protocols: z.array(z.string()).describe("Pass them to the WebSocket unchanged."),
    socket_url: z.string(),
    expires_at: timestamp.describe("Until when the ticket can be used."),
  })
  .meta({ id: "Shell" });
export type Shell = z.infer<typeof Shell>;

export const JobKeepOpen = z
  .strictObject({
    jobs: z
      .array(idOf("job"))
      .min(1)
      .max(500)
      .optional()
      .describe("Ids of jobs. Default: all jobs of the run that may be kept open."),
  })
  .meta({ id: "JobKeepOpen" });
export type JobKeepOpen = z.infer<typeof JobKeepOpen>;

export const KeptJob = z
  .object({
    id: idOf("job"),
    key: z.string(),
    name: z.string(),
    matrix: z.record(z.string(), z.string()).nullable().describe("Its values, for a combination."),
    finished_at: timestamp.nullable().describe("Null before it is over."),
    keep_open: z.boolean(),
    refused: z.string().nullable().describe("Why this job cannot be kept open; null if it can."),
  })
  .meta({ id: "KeptJob" });
export type KeptJob = z.infer<typeof KeptJob>;
