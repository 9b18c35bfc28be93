/** Settings of what one job may take. `limits.ts` has what holds where one is not set. */
import { z } from "zod";
import { durationMs, sizeBytes } from "@forgeline/compiler/duration.ts";

/** `512Mi` or `4Gi`, as in pipeline files, or a number of bytes. */
const size = z
  .string()
  .regex(/^([0-9]+|[0-9]+(\.[0-9]+)?(Ki|Mi|Gi))$/, "a size such as 512Mi or 4Gi, or a number of bytes")
  .transform((text) => (/^[0-9]+$/.test(text) ? Number(text) : sizeBytes(text)))
  .pipe(z.number().min(1024 ** 2, "at least 1Mi"));
const duration = z
  .string()
  .regex(/^([0-9]+(s|m|h|d))+$/, "a time such as 90m or 6h")
  .transform(durationMs)
  .pipe(z.number().min(1000));
const count = z.coerce.number().int().min(16);
/** Of fewer, one each second for two minutes would be a large part. */
const connections = z.coerce.number().int().min(1_000);
const cores = z.coerce.number().min(0.01).max(4096);

export const limitSettings = {
  FORGELINE_RUNNER_MAX_MEMORY: size
    .optional()
    .describe(
      "Maximum memory of one job with its services, such as 4Gi; by default the machine's memory less a tenth (at least 512Mi), divided by the number of jobs at a time.",
    ),
  FORGELINE_RUNNER_DEFAULT_MEMORY: size
    .optional()
    .describe("Memory of a job whose file sets none; by default the maximum."),
  FORGELINE_RUNNER_MAX_CPU: cores
    .optional()
    .describe(
      "Maximum number of cores of one job; by default those of the machine divided by the number of jobs at a time, at least 1.",
    ),
  FORGELINE_RUNNER_DEFAULT_CPU: cores
    .optional()
    .describe("Cores of a job whose file sets none; by default the maximum."),
  FORGELINE_RUNNER_MAX_DISK: size
    .optional()
    .describe(
      "Maximum disk space of one job: workspace, files written by its containers, and logs; by default the disk's size less FORGELINE_RUNNER_MIN_FREE_BYTES, divided by the number of jobs at a time.",
    ),
  FORGELINE_RUNNER_MAX_PROCESSES: count
    .optional()
    .describe(
      "Maximum number of processes and threads of one container; by default 512, or fewer if the kernel allows only few.",
    ),
  FORGELINE_RUNNER_MAX_OPEN_FILES: count
    .optional()
    .describe(
      "Maximum number of open files of one process; by default the limit of the Docker daemon, which cannot be exceeded. The memory that they take counts towards the job.",
    ),
  FORGELINE_RUNNER_MAX_CONNECTIONS: connections
    .optional()
    .describe(
      "Maximum number of connections of one job that the kernel tracks, including those closed in the last two minutes; by default half of nf_conntrack_max divided by the number of jobs at a time, at most 65536.",
    ),
  FORGELINE_RUNNER_MAX_FILES: count
    .optional()
    .describe(
      "Maximum number of files and directories of one job; by default nine tenths of what the file system can hold, divided by the number of jobs at a time.",
    ),
  FORGELINE_RUNNER_MAX_STEP_LOG: size
    .optional()
    .describe(
      "Maximum size of one step's log, if it is smaller than the server's limit; of a longer log, the middle is left out.",
    ),
  FORGELINE_RUNNER_MAX_JOB_TIME: duration
    .optional()
    .describe("Maximum duration of a job, such as 6h, where its file allows more."),
};

export type LimitSettings = z.infer<z.ZodObject<typeof limitSettings>>;
