/**
 * What a job reports, uploaded after its steps in one piece, whatever their outcome. Reports never decide a job: what goes wrong
 * here becomes a warning.
 */
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  manifestPath,
  reportsName,
  type ReportFile,
  type ReportManifest,
} from "@forgeline/schemas/reports/manifest.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { uploadArtifact } from "../artifacts/upload-artifact.ts";
import { copyFileReports } from "./copy-file-reports.ts";
import type { PreparedJob } from "./job-context.ts";
import { keptStepReports, reportDirectory } from "./report-directory.ts";
import { warn } from "./warn.ts";

/** May run again after a restart of the agent: what the server has is not sent again. */
export async function leaveReports(job: PreparedJob): Promise<void> {
  if (job.stop.forced.aborted) return;
  try {
    const files = await collect(job);
    if (files.length > 0) await upload(job, { files });
  } catch (error) {
    if (job.stop.forced.aborted) return;
    if (!(error instanceof ArtifactError)) job.logger.error({ err: error }, "reports could not be uploaded");
    const why = error instanceof ArtifactError ? `: ${error.message}` : ", see the log of the runner.";
    warn(job.record, `The reports of the job could not be uploaded${why}`);
  }
}

async function collect(job: PreparedJob): Promise<ReportFile[]> {
  const steps = await keptStepReports(job);
  const files = await copyFileReports(job);
  return [...steps.map(({ kind, step, name }) => ({ entry: name, kind, step, path: null })), ...files];
}

async function upload(job: PreparedJob, manifest: ReportManifest): Promise<void> {
  const workspace = await reportDirectory(job);
  await writeFile(join(workspace, manifestPath), JSON.stringify(manifest), { mode: 0o600 });
  const names = [manifestPath, ...manifest.files.map(({ entry }) => entry)].toSorted();
  const files = await Promise.all(
    names.map(async (path) => {
      const { size } = await stat(join(workspace, path));
      // Always the same, so that an upload can go on after a restart.
      return { path, sizeBytes: size, modifiedMs: 0, kind: "file" as const, target: null };
    }),
  );
  const connection = job.openFiles(job.spec, "artifacts");
  try {
    const signal = job.stop.forced;
    const { id } = await uploadArtifact({ name: reportsName, workspace, files, connection, signal });
    job.record.reports = id;
    await job.save();
  } finally {
    connection.close();
  }
}
