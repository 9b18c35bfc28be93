/**
 * Reads what jobs report, with the functions that a server reads it with. On a server a thread does, since there the bytes are
 * strangers'; here they are the developer's own, and the bounds of sizes are the same.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { extractZip } from "@forgeline/runner/artifacts/extract-zip.ts";
import { manifestPath, ReportManifest } from "@forgeline/schemas/reports/manifest.ts";
import type { FoundReports, FoundTest } from "@forgeline/server/domains/pipelines/reports/parse/found.ts";
import { readReports } from "@forgeline/server/domains/pipelines/reports/parse/read-reports.ts";
import { labelOf, type LocalRun } from "./local-run.ts";

/** What the newest attempt of a job that reported something had to say. */
export interface JobReports extends FoundReports {
  job: string;
  label: string;
}

/** Out of their upload. Throws what cannot be read. */
export async function readUploadedReports(
  bytes: AsyncIterable<Buffer>,
  { directory, sizeBytes }: { directory: string; sizeBytes: number },
): Promise<FoundReports> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await extractZip(bytes, { workspace: directory, sizeBytes });
    const manifest = ReportManifest.parse(JSON.parse(await readFile(join(directory, manifestPath), "utf8")));
    const given = manifest.files.map(async ({ entry, kind, step, path }) => ({
      kind,
      step,
      path,
      bytes: await readFile(join(directory, entry)),
    }));
    return readReports(await Promise.all(given));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** In the order of the jobs. */
export function reportsOf({ jobs }: LocalRun): JobReports[] {
  return jobs.flatMap((job) => (job.reports ? [{ job: job.key, label: labelOf(job), ...job.reports }] : []));
}

/** Where in the file's text a tool says that something is. */
const places = [
  /(?:^|[\s("'[])(?:\/workspace\/|\.\/)?((?:[\w@.+-]+\/)*[\w@.+-]+\.\w+):(\d+)/gm,
  /File "(?:\/workspace\/|\.\/)?([^"\n]+)", line (\d+)/g,
];

/** The first place in the project that the message or stack of a failed test names; null where none does. */
export function placeOfTest({ message, details }: FoundTest, root: string): string | null {
  const text = `${message ?? ""}\n${details ?? ""}`;
  const found = places
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter(([, path = ""]) => !path.includes("node_modules/") && existsSync(join(root, path)))
    .toSorted((a, b) => a.index - b.index)[0];
  return found ? `${found[1]}:${found[2]}` : null;
}
