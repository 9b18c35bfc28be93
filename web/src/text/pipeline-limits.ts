/** Words of the limits of pipelines. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Limit = Schemas["PipelineLimit"];

export const text = {
  title: "Pipeline limits",
  lead: "What pipelines may have at most, in every repository. Organizations can have limits of their own: see Organizations.",
  ofOrganization: "Limits for the repositories of this organization, instead of the instance's.",
  docs: "What each limit counts, and when a change takes effect",
  save: "Set these limits",
  saved: "Set. New runs follow these limits.",
  names: {
    file_kib: "Size of a pipeline file, in KiB",
    files: "Pipeline files in a repository",
    stages: "Stages in a file",
    jobs: "Jobs in a run",
    matrix_combinations: "Combinations of a matrix",
    steps: "Steps in a job",
    needs: "Needs of a job",
    services: "Services of a job",
    caches: "Caches of a job",
    artifacts: "Artifacts of a job",
    templates: "Templates of a file",
    template_depth: "Templates inside templates",
    job_minutes: "Longest timeout of a job, in minutes",
    run_minutes: "Longest timeout of a run, in minutes",
    approval_days: "Days that a run waits for approval",
    reruns: "Reruns of a run",
    step_log_mib: "Log of a step, in MiB",
  } satisfies Record<Limit["name"], string>,
  hint: ({ default: standard, lowest, highest }: Limit) => `${lowest} to ${highest}. Default: ${standard}.`,
  followed: (value: number) => ` The instance allows ${value}.`,
};
