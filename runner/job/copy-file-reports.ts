/** Reports that a job's file names: found in its workspace, and copied without its secrets to a directory of the runner's own. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { maxReportBytes, maxReportFiles, maxReportsBytes } from "@forgeline/schemas/reports/limits.ts";
import {
  fileReportKinds,
  type FileReportKind,
  type ReportFile,
} from "@forgeline/schemas/reports/manifest.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { pathPatterns } from "../artifacts/patterns.ts";
import { findFiles, openFound, type FoundFile } from "../artifacts/workspace-files.ts";
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { PreparedJob } from "./job-context.ts";
import { hiddenValues } from "./job-secrets.ts";
import { copyMasked } from "./masked-copy.ts";
import { reportDirectory } from "./report-directory.ts";
import { warn } from "./warn.ts";

/** Of files far more than are brought: which of them come first is known once all are found. */
const limits = { files: 50_000, entries: 1_000_000, advice: "Name fewer files, or merge the reports." };

/** What cannot be brought is a warning. Makes the same names again after a restart of the agent. */
export async function copyFileReports(job: PreparedJob): Promise<ReportFile[]> {
  const wanted = job.spec.job.reports ?? {};
  const kinds = fileReportKinds.filter((kind) => wanted[kind] !== undefined);
  if (kinds.length === 0) return [];
  await job.environment.openWorkspace();
  const copied: ReportFile[] = [];
  let bytes = 0;
  for (const kind of kinds)
    for (const file of await found(job, kind, maxReportFiles - copied.length)) {
      const entry = `${kind}-${copied.length}`;
      const size = await copyOne(job, { kind, file, entry, room: maxReportsBytes - bytes });
      if (size === null) continue;
      bytes += size;
      copied.push({ entry, kind, step: null, path: file.path });
    }
  return copied;
}

/** By path; at most so many. */
async function found(job: PreparedJob, kind: FileReportKind, room: number): Promise<FoundFile[]> {
  const globs = job.spec.job.reports?.[kind] ?? [];
  const { files, leftOut } = await findFiles(
    job.environment.workspaceDir,
    pathPatterns(globs, []),
    limits,
  ).catch((error: unknown) => {
    if (!(error instanceof ArtifactError)) throw error;
    warn(job.record, `Reports, ${kind}: ${error.message}`);
    return { files: [], leftOut: [] };
  });
  const regular = files.filter((file) => file.kind !== "link");
  const links = files.filter((file) => file.kind === "link").map(({ path }) => `${path} (a link)`);
  const ignored = [...leftOut, ...links].slice(0, 5);
  if (ignored.length > 0) warn(job.record, `Reports, ${kind}: left out ${ignored.join(", ")}`);
  if (regular.length === 0) warn(job.record, `Reports, ${kind}: no file matches ${globs.join(", ")}.`);
  if (regular.length > room)
    warn(job.record, `Reports, ${kind}: a job can bring ${maxReportFiles} files; the rest was left out.`);
  return regular.slice(0, room);
}

interface Copy {
  kind: FileReportKind;
  file: FoundFile;
  entry: string;
  /** Bytes that the job may still bring. */
  room: number;
}

/** Its size, or null where it was left out. */
async function copyOne(job: PreparedJob, { kind, file, entry, room }: Copy): Promise<number | null> {
  const leaveOut = (why: string) => {
    warn(job.record, `Reports, ${kind}: ${file.path} ${why}`);
    return null;
  };
  if (file.sizeBytes > maxReportBytes)
    return leaveOut(`has ${file.sizeBytes} bytes, and a report can have ${maxReportBytes}.`);
  if (file.sizeBytes > room)
    return leaveOut(`was left out: all reports of a job can have ${maxReportsBytes} bytes.`);
  const forms = secretEncodings(hiddenValues(job.spec));
  try {
    const from = await openFound(job.environment.workspaceDir, file);
    try {
      const to = await open(join(await reportDirectory(job), entry), "w", 0o600);
      try {
        return await copyMasked({ forms, from, to, maxBytes: maxReportBytes });
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    return leaveOut("was changed while it was read.");
  }
}
