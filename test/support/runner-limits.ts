/** Limits for engines and agents of tests: room enough for all of them at once. */
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";

export const testLimits: RunnerLimits = {
  memoryBytes: { max: 1024 ** 3, default: 1024 ** 3 },
  cpu: { max: 1, default: 1 },
  diskBytes: 8 * 1024 ** 3,
  processes: 512,
  openFiles: null,
  files: null,
  stepLogBytes: null,
  jobMs: null,
};
