/**
 * Limits of pipelines that administrators of the instance can lower or raise, for the instance and for single organizations. Bounds
 * that protect the parser (depth, number of values, what aliases and templates expand to) are fixed: `compiler/limits.ts`.
 */
export interface LimitRange {
  /** Where nobody has set one. */
  default: number;
  lowest: number;
  /** What the server, the workflow and the runner are built for. */
  highest: number;
  /** For people: what is counted. */
  counts: string;
}

const days = 24 * 60;

export const pipelineLimits = {
  file_kib: range(512, [16, 1024], "KiB of a pipeline file or template."),
  files: range(20, [1, 100], "Pipeline files in `.forgeline/`."),
  stages: range(50, [1, 100], "Stages of a file."),
  jobs: range(500, [1, 1000], "Jobs of a run, each combination of a matrix counted."),
  matrix_combinations: range(256, [1, 512], "Combinations of one matrix."),
  steps: range(100, [1, 250], "Steps of a job, counting those in `parallel` and templates."),
  needs: range(100, [1, 250], "Entries of a job's `needs`."),
  services: range(10, [0, 20], "Services of a job."),
  caches: range(10, [0, 20], "Caches of a job."),
  artifacts: range(50, [0, 100], "Artifacts of a job."),
  templates: range(50, [0, 200], "Different templates that a file uses, with those that they use."),
  template_depth: range(4, [1, 10], "Templates that use templates: how deep."),
  job_minutes: range(7 * days, [1, 30 * days], "Minutes that a job may run: the longest `timeout`."),
  run_minutes: range(
    7 * days,
    [1, 30 * days],
    "Minutes that a run or a stage may run: the longest `timeout`.",
  ),
  approval_days: range(30, [1, 90], "Days from its start after which a run waits for no approval any more."),
  reruns: range(100, [0, 500], "Reruns of a run."),
  step_log_mib: range(256, [1, 1024], "MiB of a step's log that are kept."),
} as const satisfies Record<string, LimitRange>;

export type PipelineLimitName = keyof typeof pipelineLimits;
export const pipelineLimitNames = Object.keys(pipelineLimits) as [PipelineLimitName, ...PipelineLimitName[]];

/** Who has set a limit: administrators for the organization or for the instance, or nobody. */
export const limitLevels = ["default", "instance", "organization"] as const;
export type LimitLevel = (typeof limitLevels)[number];

function range(standard: number, [lowest, highest]: readonly [number, number], counts: string): LimitRange {
  return { default: standard, lowest, highest, counts };
}
