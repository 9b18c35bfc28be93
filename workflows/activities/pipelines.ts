/** Activities of the pipeline workflow: parse, call one method of the run service, map the error. Each may run twice. */
import {
  FinishRun,
  ForceEnd,
  LoadRun,
  RequestStop,
  SettleJobs,
  StartJobs,
} from "@forgeline/schemas/pipelines/run-activities.ts";
import type { RunService } from "@forgeline/server/domains/pipelines/domain.ts";
import { activity } from "./activity.ts";

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
