/** Reports as a runner brings them, for jobs of `job-artifacts.ts`. */
import {
  manifestPath,
  reportsName,
  type ReportFile,
  type ReportKind,
} from "@forgeline/schemas/reports/manifest.ts";
import type { ApiServer } from "./api-server.ts";
import { bringArtifact, type JobAtWork } from "./job-artifacts.ts";
import { eventually } from "./eventually.ts";
import { resultOf } from "./runs.ts";

export interface BroughtReport {
  kind: ReportKind;
  /** Position of a step, or a file of the workspace. */
  from: number | string;
  content: string | Buffer;
}

/** Sends them; the id of the upload. Nobody sees it. */
export function bringReports(
  server: ApiServer,
  job: JobAtWork,
  reports: readonly BroughtReport[],
): Promise<string> {
  const listed: ReportFile[] = reports.map(({ kind, from }, i) => ({
    entry: `${i}`,
    kind,
    step: typeof from === "number" ? from : null,
    path: typeof from === "string" ? from : null,
  }));
  const files = {
    [manifestPath]: JSON.stringify({ files: listed }),
    ...Object.fromEntries(reports.map(({ content }, i) => [`${i}`, content])),
  };
  return bringArtifact(server, job, { name: reportsName, files });
}

/** The runner's result is accepted with them, and they are read. */
export async function endReporting(
  server: ApiServer,
  { attemptId, epoch }: JobAtWork,
  reports: string,
): Promise<void> {
  await server.container.pipelines.leases.done({ attemptId, epoch, result: resultOf({ reports }) });
  const isRead = async () =>
    (
      await server.container.platform.db.query<{ read: boolean }>(
        "select read_at is not null as read from job_reports where attempt_id = $1",
        [attemptId],
      )
    )[0]?.read === true;
  await eventually(isRead);
}

/** A job that reports this, from beginning to end. */
export async function reportFrom(
  server: ApiServer,
  job: JobAtWork,
  reports: readonly BroughtReport[],
): Promise<void> {
  await endReporting(server, job, await bringReports(server, job, reports));
}
