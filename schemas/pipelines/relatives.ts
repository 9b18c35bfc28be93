/** Runs that started each other, as a run shows them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { Status } from "./status.ts";

const relative = {
  repository: z.string().describe("As owner/name."),
  id: idOf("pipe"),
  number: z.number().int(),
  url: z.string(),
  web_url: z.string(),
};

export const ParentRun = z
  .object({ ...relative, job: idOf("job").describe("Its job that started this run.") })
  .meta({ id: "ParentRun" });
export type ParentRun = z.infer<typeof ParentRun>;

export const ChildRun = z
  .object({
    ...relative,
    pipeline: z.string().describe("The file it comes from."),
    status: Status,
    job: idOf("job").describe("The job here that started it."),
    attempt: z.number().int().describe("Which attempt of that job."),
  })
  .meta({ id: "ChildRun" });
export type ChildRun = z.infer<typeof ChildRun>;
