/** Artifacts of a job: what its needs give it, and what it leaves behind. */
import { maxArtifactFiles } from "@forgeline/schemas/artifacts/limits.ts";
import type { PlanArtifact } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import type { ArtifactConnection } from "../artifacts/artifact-connection.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { fetchArtifacts } from "../artifacts/fetch-artifacts.ts";
import { pathPatterns } from "../artifacts/patterns.ts";
import { uploadArtifact } from "../artifacts/upload-artifact.ts";
import { findFiles } from "../artifacts/workspace-files.ts";
import { crashPoint } from "../crash-point.ts";
import type { JobEnvironment } from "../engine/engine.ts";
import type { JobContext, PreparedJob } from "./job-context.ts";
import type { Outcome } from "./outcome.ts";
import { decidingStep } from "./run-steps.ts";
import { warn } from "./warn.ts";

/** Enough for a large monorepo with its dependencies. */
const maxEntries = 1_000_000;
const limits = {
  files: maxArtifactFiles,
  entries: maxEntries,
  advice: 'Pack them into an archive, or leave some out with "exclude".',
};

/** Into the workspace, before it is given to the image's user. Throws `ArtifactError`. */
export async function bringNeededArtifacts(job: JobContext, environment: JobEnvironment): Promise<void> {
  if (!job.spec.job.needs?.some(({ artifacts }) => artifacts !== undefined)) return;
  const connection = job.openFiles(job.spec, "artifacts");
  try {
    await fetchArtifacts({
      workspace: environment.workspaceDir,
      connection,
      signal: job.stop.asked,
      onLine: (line) => job.setup.line(line),
      onWarning: (text) => warn(job.record, text),
    });
  } finally {
    connection.close();
  }
}

/**
 * After the steps. What the job ends with because of its artifacts, or null. May run again after a restart of the agent:
 * what the server has is not sent again.
 */
export async function leaveArtifacts(job: PreparedJob): Promise<Outcome | null> {
  const wanted = (job.spec.job.artifacts ?? []).filter((artifact) => isDue(artifact, job));
  if (wanted.length === 0) return null;
  const connection = job.openFiles(job.spec, "artifacts");
  try {
    await job.environment.openWorkspace();
    let first: Outcome | null = null;
    for (const artifact of wanted) {
      const outcome = await leaveOne(job, artifact, connection);
      if (outcome?.status === "error") return outcome;
      first ??= outcome;
    }
    return first;
  } finally {
    connection.close();
  }
}

function isDue({ when }: PlanArtifact, { stop, ...job }: PreparedJob): boolean {
  if (when === "always") return !stop.forced.aborted;
  if (stop.request) return when === "failure" && stop.request.status !== "cancelled" && !stop.forced.aborted;
  return (decidingStep(job) === null) === (when === "success");
}

async function leaveOne(
  job: PreparedJob,
  artifact: PlanArtifact,
  connection: ArtifactConnection,
): Promise<Outcome | null> {
  const { name } = artifact;
  const workspace = job.environment.workspaceDir;
  // What runs after a stop has the time that steps have then.
  const signal = artifact.when === "success" ? job.stop.asked : job.stop.forced;
  try {
    const patterns = pathPatterns(artifact.paths, artifact.exclude);
    const { files, leftOut } = await findFiles(workspace, patterns, limits);
    if (leftOut.length > 0) warn(job.record, `Artifact ${name}: left out ${leftOut.join(", ")}`);
    if (files.length === 0) return nothingMatched(job, artifact);
    const { id } = await uploadArtifact({ name, workspace, files, connection, signal });
    job.record.artifacts = [...new Set([...(job.record.artifacts ?? []), id])];
    await job.save();
    crashPoint("artifact.uploaded-before-result");
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof ArtifactError)) throw error;
    return uploadFailed(job, `Artifact ${name} could not be uploaded: ${error.message}`);
  }
}

function nothingMatched(job: PreparedJob, { name, paths, required }: PlanArtifact): Outcome | null {
  const message = `Artifact ${name}: no file matches ${paths.join(", ")}.`;
  if (required && decidingStep(job) === null)
    return { status: "failed", reason: "artifact_required", message, exitCode: 0 };
  warn(job.record, message);
  return null;
}

/** The exit code of the steps stays to be seen. */
function uploadFailed(job: PreparedJob, message: string): Outcome {
  const step = decidingStep(job);
  return { status: "error", reason: "artifact_upload", message, exitCode: step ? step.exitCode : 0 };
}
