/** The files that a runner has brought as the reports of a job, out of their upload. */
import { maxReportBytes } from "@forgeline/schemas/reports/limits.ts";
import { manifestPath, ReportManifest } from "@forgeline/schemas/reports/manifest.ts";
import type { ZipEntry } from "@forgeline/schemas/artifacts/zip.ts";
import { rangeOfFile, type ArtifactContent, type StoredArtifact } from "../artifacts/content.ts";
import type { GivenReport } from "./parse/read-reports.ts";

const maxManifestBytes = 4 * 1024 * 1024;

/** Throws `RangeError` where it is not in our form, and whatever the object store throws. */
export async function loadReports(
  content: Pick<ArtifactContent, "read" | "readIndex">,
  upload: StoredArtifact,
): Promise<GivenReport[]> {
  const entries = new Map((await content.readIndex(upload)).map((entry) => [entry.path, entry]));
  const manifest = parseManifest(await bytesOf(manifestPath, maxManifestBytes));
  const given: GivenReport[] = [];
  for (const { entry, kind, step, path } of manifest.files)
    given.push({ kind, step, path, bytes: await bytesOf(entry, maxReportBytes) });
  return given;

  async function bytesOf(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const entry = entries.get(name);
    if (!entry) throw new RangeError(`it has no ${name}`);
    // Each once: the same file under many names would be more than was uploaded.
    entries.delete(name);
    if (entry.sizeBytes > maxBytes) throw new RangeError(`${name} is too large`);
    return readEntry(content, upload, entry);
  }
}

/** In memory of its own, which can be given to a thread. */
async function readEntry(
  content: Pick<ArtifactContent, "read">,
  upload: StoredArtifact,
  entry: ZipEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(entry.sizeBytes);
  let filled = 0;
  for await (const piece of content.read(upload, rangeOfFile(entry))) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes;
}

function parseManifest(bytes: Uint8Array): ReportManifest {
  try {
    return ReportManifest.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    throw new RangeError("its list of reports cannot be read");
  }
}
