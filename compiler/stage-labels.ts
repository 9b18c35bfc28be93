/** The labels of a job as they are written, and those that its runner needs if all jobs of the stage run there. */
import type { FileDefaults } from "@forgeline/schemas/pipeline-file/file.ts";
import type { z } from "zod";
import { planLabels } from "./build-steps.ts";
import type { FileModel, JobInFile, ModelJob } from "./file-model.ts";

type Defaults = Pick<z.infer<typeof FileDefaults>, "runner"> | undefined;

export function labelsOfJob(job: Pick<JobInFile, "runner">, defaults: Defaults): string[] {
  return planLabels(job.runner ?? defaults?.runner);
}

/** Of all these jobs, each label once, in the order of the file. */
export function labelsOfStage(jobs: readonly Pick<ModelJob, "job">[], defaults: Defaults): string[] {
  return [...new Set(jobs.flatMap(({ job }) => labelsOfJob(job, defaults)))];
}

/** What the runner of the job needs: of a stage whose jobs run on one runner, each job has the labels of all. */
export function labelsOfRunner(
  { job, stage }: ModelJob,
  { stages, jobs }: FileModel,
  defaults: Defaults,
): string[] {
  const own = stages.find(({ name }) => name === (stage ?? "main"));
  if (own?.stage.placement !== "together") return labelsOfJob(job, defaults);
  return labelsOfStage(
    jobs.filter((other) => (other.stage ?? "main") === own.name),
    defaults,
  );
}
