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
      "Most memory of one job with its services, such as 4Gi; by default what the machine has, less a tenth (512Mi at least), divided by the jobs at once.",
    ),
  FORGELINE_RUNNER_DEFAULT_MEMORY: size
    .optional()
    .describe("Memory of a job whose file does not say; by default the most that it may have."),
  FORGELINE_RUNNER_MAX_CPU: cores
    .optional()
    .describe("Most cores of one job; by default the machine's divided by the jobs at once, at least 1."),
  FORGELINE_RUNNER_DEFAULT_CPU: cores
    .optional()
    .describe("Cores of a job whose file does not say; by default the most that it may have."),
  FORGELINE_RUNNER_MAX_DISK: size
    .optional()
    .describe(
      "Most disk of one job: workspace, what its containers write, and logs; by default the disk, less FORGELINE_RUNNER_MIN_FREE_BYTES, divided by the jobs at once.",
    ),
  FORGELINE_RUNNER_MAX_PROCESSES: count
    .optional()
    .describe(
      "Most processes and threads of one container; by default 512, fewer where the kernel numbers few.",
    ),
  FORGELINE_RUNNER_MAX_OPEN_FILES: count
    .optional()
    .describe(
      "Most open files of one process; by default as the Docker daemon has it, which cannot be exceeded. What they take of memory counts for the job.",
    ),
  FORGELINE_RUNNER_MAX_CONNECTIONS: connections
    .optional()
    .describe(
      "Most connections of one job that the kernel keeps track of, those closed in the last two minutes included; by default half of what it can (nf_conntrack_max), divided by the jobs at once, 65536 at most.",
    ),
  FORGELINE_RUNNER_MAX_FILES: count
    .optional()
    .describe(
      "Most files and directories of one job; by default nine tenths of what the file system can hold, divided by the jobs at once.",
    ),
  FORGELINE_RUNNER_MAX_STEP_LOG: size
    .optional()
    .describe(
      "Most log of one step, where that is less than the server's limit; of more, the middle is left out.",
    ),
  FORGELINE_RUNNER_MAX_JOB_TIME: duration
    .optional()
    .describe("How long a job may run, such as 6h, where its file allows more."),
};

export type LimitSettings = z.infer<z.ZodObject<typeof limitSettings>>;
