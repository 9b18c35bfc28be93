/** Activities of the pipeline workflow: parse, call one method of the run service, map the error. Each may run twice. */
import { ApplicationFailure } from "@temporalio/activity";
import {
  FinishRun,
  ForceEnd,
  LoadRun,
  RequestStop,
  SettleJobs,
  StartJobs,
} from "@forgeline/schemas/pipelines/run-activities.ts";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import type { RunService } from "@forgeline/server/features/pipelines/run-service.ts";
import type { z } from "zod";

export type PipelineActivities = ReturnType<typeof createPipelineActivities>;

export function createPipelineActivities(runs: RunService) {
  return {
    loadRun: activity(LoadRun, (input) => runs.loadRun(input)),
    startJobs: activity(StartJobs, (input) => runs.startJobs(input)),
    settleJobs: activity(SettleJobs, (input) => runs.settleJobs(input)),
    requestStop: activity(RequestStop, (input) => runs.requestStop(input)),
    forceEnd: activity(ForceEnd, (input) => runs.forceEnd(input)),
    finishRun: activity(FinishRun, (input) => runs.finishRun(input)),
  };
}

function activity<Schema extends z.ZodType, Result>(
  schema: Schema,
  call: (input: z.infer<Schema>) => Promise<Result>,
): (input: z.infer<Schema>) => Promise<Result> {
  return async (input) => {
    try {
      return await call(schema.parse(input));
    } catch (error) {
      throw failure(error);
    }
  };
}

/** By name, not by class: activities know the server's types only. */
function failure(error: unknown): unknown {
  if (error instanceof Error && error.name === "ZodError") {
    // What cannot be read today cannot be read at the next try.
    return ApplicationFailure.nonRetryable(error.message, "unreadable");
  }
  const code = error instanceof Error && error.name === "AppError" && "code" in error ? error.code : null;
  if (typeof code !== "string" || !(code in errorCatalogue)) return error;
  const entry = errorCatalogue[code as keyof typeof errorCatalogue];
  return ApplicationFailure.create({
    type: code,
    message: (error as Error).message,
    nonRetryable: !entry.retryable,
    cause: error as Error,
  });
}
