/** Logs as REST shows them, and what a viewer may ask for. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";
import { wholeNumber } from "../core/whole-number.ts";

export const LogLine = z
  .object({
    stream_id: z.string(),
    stage: z.string(),
    job: z.string().describe("Key of the job; the same for all combinations of a matrix."),
    job_id: z.string(),
    attempt: z.number().int(),
    step: z.string().describe("Name of the step; `setup`, or the key of a service, for the other streams."),
    number: z.number().int().describe("Number of the line in its stream, from 1."),
    offset: z.number().int().describe("Where the line begins in its stream, in bytes."),
    time: timestamp.nullable().describe("When the line was first seen; null when the page begins inside it."),
    text: z
      .string()
      .describe(
        "Without its newline; escape sequences are kept; bytes that are not UTF-8 are replaced by U+FFFD.",
      ),
  })
  .meta({ id: "LogLine" });
export type LogLine = z.infer<typeof LogLine>;

export const LogPage = z
  .object({
    lines: z.array(LogLine),
    next_cursor: z
      .string()
      .nullable()
      .describe("Send it as `cursor` to continue; null at the end of a finished log."),
    finished: z.boolean().describe("There will be no further lines."),
    complete: z.boolean().describe("Finished, with no output of the jobs missing."),
  })
  .meta({ id: "LogPage" });
export type LogPage = z.infer<typeof LogPage>;

export const maxLogLines = 10_000;

export const LogQuery = z.strictObject({
  job: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Id, key or name of a job. A key is all combinations of a matrix; `KEY (VALUE, …)` is one of them.",
    ),
  step: z
    .string()
    .max(300)
    .optional()
    .describe("Position or name of a step, `setup`, or the key of a service."),
  attempt: wholeNumber({ min: 1 }).optional().describe("Default: the newest attempt of each job."),
  offset: wholeNumber({ min: 0 }).optional().describe("Byte to start at; needs exactly one stream."),
  cursor: z
    .string()
    .regex(/^log_[0-9a-z]{26}:\d{1,15}$/)
    .optional()
    .describe("`next_cursor` of the page before."),
  tail: wholeNumber({ min: 1, max: maxLogLines }).optional().describe("Only this many last lines."),
  limit: wholeNumber({ min: 1, max: maxLogLines })
    .optional()
    .describe("Lines in a JSON page, default 1000; a page has at most about 2 MiB of text."),
  format: z.enum(["json", "text", "ndjson"]).optional().describe("Instead of `Accept`."),
});
export type LogQuery = z.infer<typeof LogQuery>;

export const LogStreamTicket = z
  .object({
    ticket: z.string().describe("Opens one watch socket, within a minute."),
    protocols: z.array(z.string()).describe("Pass them to the WebSocket unchanged."),
    url: z.string(),
    expires_at: timestamp,
  })
  .meta({ id: "LogStreamTicket" });
export type LogStreamTicket = z.infer<typeof LogStreamTicket>;
