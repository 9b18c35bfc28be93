/** The settings of how the server and its runners deal with each other. */
import { z } from "zod";
import { milliseconds } from "./setting-kinds.ts";

export const runnerSettings = {
  FORGELINE_HEARTBEAT_MS: milliseconds("How often runners send a heartbeat, in milliseconds.").default(
    10_000,
  ),
  FORGELINE_UNREACHABLE_MS: milliseconds(
    "After how much silence of its runner a job is shown as unreachable, in milliseconds.",
  ).default(30_000),
  FORGELINE_RECLAIM_MS: milliseconds(
    "After how much silence, while the server is up, a job is taken away from its runner, in milliseconds.",
  ).default(90_000),
  FORGELINE_OFFER_MS: milliseconds(
    "How long a runner has to answer an offered job, in milliseconds.",
  ).default(10_000),
  FORGELINE_STEP_LOG_BYTES: z.coerce
    .number()
    .int()
    .min(4096)
    .default(268_435_456)
    .describe(
      "Maximum size of one step's log, in bytes; of a longer log, the beginning and the last quarter are kept and the gap is marked.",
    ),
};

type RunnerEnvironment = z.infer<z.ZodObject<typeof runnerSettings>>;

export function toRunners(env: RunnerEnvironment) {
  return {
    heartbeatMs: env.FORGELINE_HEARTBEAT_MS,
    unreachableMs: env.FORGELINE_UNREACHABLE_MS,
    reclaimMs: env.FORGELINE_RECLAIM_MS,
    offerMs: env.FORGELINE_OFFER_MS,
    stepLogBytes: env.FORGELINE_STEP_LOG_BYTES,
  };
}

export function runnerProblems(env: RunnerEnvironment): string[] {
  if (env.FORGELINE_UNREACHABLE_MS < env.FORGELINE_RECLAIM_MS) return [];
  return ["FORGELINE_UNREACHABLE_MS: must be less than FORGELINE_RECLAIM_MS"];
}
