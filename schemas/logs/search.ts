/** What a search of logs takes and answers, and the first error of a run. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { LogQuery } from "./resource.ts";

export const LogMatch = z
  .object({
    pipeline_id: idOf("pipe"),
    pipeline_number: z.number().int(),
    stage: z.string(),
    job: z.string().describe("Key of the job; the same for all combinations of a matrix."),
    job_label: z.string().describe("The key, and the values of a combination: `unit (20, linux)`."),
    job_id: idOf("job"),
    attempt: z.number().int(),
    step: z.string().describe("Name of the step; `setup`, or the key of a service, for the other streams."),
    stream_id: idOf("log"),
    number: z.number().int().describe("Number of the line in its stream, from 1."),
    offset: z.number().int().describe("Where the line begins in its stream, in bytes."),
    text: z
      .string()
      .describe(
        "The line without its newline and escape sequences; of a line of more than 500 characters, what is around the first match.",
      ),
    is_cut: z.boolean().describe("`text` is not the whole line."),
    ranges: z
      .array(z.object({ start: z.number().int(), end: z.number().int() }))
      .describe("Where the words are in `text`, in UTF-16 code units, the end excluded; at most 20."),
    web_url: z.string(),
  })
  .meta({ id: "LogMatch" });
export type LogMatch = z.infer<typeof LogMatch>;

export const LogSearchPage = z
  .object({
    matches: z.array(LogMatch).describe("In the order of the logs; of several runs, the newest first."),
    stopped_by: z
      .enum(["matches", "bytes", "time"])
      .nullable()
      .describe("What ended the search before all was searched; null if all was."),
    next_cursor: z.string().nullable().describe("Send it as `cursor` to go on; null when all was searched."),
    searched_bytes: z.number().int().describe("Bytes of logs that this request searched."),
  })
  .meta({ id: "LogSearchPage" });
export type LogSearchPage = z.infer<typeof LogSearchPage>;

export const maxLogMatches = 500;
export const maxSearchedRuns = 100;

const searchFields = {
  q: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\r\n]*$/, "Words of one line.")
    .describe("Words as they stand in a line, in upper or lower case. Colours of the log do not count."),
  limit: wholeNumber({ min: 1, max: maxLogMatches })
    .default(100)
    .describe(
      "Lines in one answer, at most 500. One answer searches at most 256 MiB, and for at most 3 seconds.",
    ),
  cursor: z
    .string()
    .regex(/^\d{1,9}:log_[0-9a-z]{26}:\d{1,15}$/)
    .optional()
    .describe("`next_cursor` of the answer before."),
};

export const LogSearchQuery = z.strictObject({
  ...searchFields,
  ...LogQuery.pick({ job: true, step: true, attempt: true }).shape,
});
export type LogSearchQuery = z.infer<typeof LogSearchQuery>;

export const RepositoryLogSearchQuery = z.strictObject({
  ...searchFields,
  runs: wholeNumber({ min: 1, max: maxSearchedRuns })
    .default(20)
    .describe("So many of the last runs that fit, newest first; default 20, at most 100."),
  ref: z.string().max(300).optional().describe("Only runs of this branch or tag, or full ref name."),
  pipeline: z.string().max(300).optional().describe("Only runs of this file."),
  job: LogQuery.shape.job,
  step: LogQuery.shape.step,
});
export type RepositoryLogSearchQuery = z.infer<typeof RepositoryLogSearchQuery>;

export const FirstErrorQuery = z.strictObject({ job: LogQuery.shape.job });

export const FirstLogError = z
  .object({
    line: LogMatch.nullable().describe("Null if no job failed, or those that failed wrote nothing."),
    found_by: z
      .enum(["error", "last_line"])
      .nullable()
      .describe(
        "`error`: the first line that looks like an error. `last_line`: no line does, so it is the last that is not empty.",
      ),
  })
  .meta({ id: "FirstLogError" });
export type FirstLogError = z.infer<typeof FirstLogError>;
