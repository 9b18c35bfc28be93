/** What the set-up log says in addition where somebody asked for debug output. Names of variables, never their values. */
import { arch, release, type } from "node:os";
import { runnerVersion } from "../version.ts";
import type { JobContext } from "./job-context.ts";
import { ciEnvironment, givenEnvironment } from "./job-environment.ts";

export function debugLines({ spec, settings }: Pick<JobContext, "spec" | "settings">): string[] {
  const { job } = spec;
  const given = [ciEnvironment(spec), givenEnvironment(spec, settings), spec.idTokens ?? {}];
  const names = new Set(given.flatMap((variables) => Object.keys(variables)));
  return [
    `runner ${runnerVersion}, Node.js ${process.version}, ${type()} ${release()} ${arch()}`,
    `attempt ${spec.attempt} of job ${spec.jobId}, run ${spec.pipelineId}, commit ${spec.clone.sha}`,
    `image ${job.image.name}, user ${job.image.user ?? "of the image"}, resources ${JSON.stringify(job.resources)}`,
    `network ${job.network ? JSON.stringify(job.network) : "open"}, runner labels ${job.runnerLabels.join(", ") || "none"}`,
    `variables of every step: ${[...names].toSorted().join(", ")}`,
  ].map((line) => `debug: ${line}`);
}
