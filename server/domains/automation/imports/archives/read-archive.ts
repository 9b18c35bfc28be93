/** The parts of an import that read an archive itself: the records are unpacked once, Git comes from its files. */
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ObjectNotFound } from "../../../../platform/objects/object-store.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import type { LfsObject } from "../../mirrors/lfs-server.ts";
import type { BegunImport, Note } from "../imports.store.ts";
import { SourceProblem } from "../source-problem.ts";
import type { TakeGitDeps } from "../take-git.ts";
import type { LargeFilesDeps } from "../take-large-files.ts";
import { archiveEntries } from "./archive-entries.ts";
import { extractGit, type ArchivedGit } from "./archived-git.ts";
import { takeArchivedLargeFiles } from "./archived-large-files.ts";
import { createGithubExport } from "./github-export.ts";
import { createGitlabExport } from "./gitlab-export.ts";
import { unpackArchive, type UnpackDeps } from "./unpack.ts";

export interface ReadArchiveDeps
  extends UnpackDeps, Pick<TakeGitDeps, "git" | "storage" | "limits">, Pick<LargeFilesDeps, "lfs"> {}

interface Reading {
  row: BegunImport;
  repository: RepositoryRef;
  signal: AbortSignal;
}

const gone = "The archive is not there any more. Upload it again, and begin a new import.";
const noGit: Note = { kind: "ref", source: "all", reason: "The archive has no Git repository." };

/** Throws `SourceProblem`, and the signal's reason. */
export function unpack(deps: ReadArchiveDeps, { row, signal }: Omit<Reading, "repository">): Promise<void> {
  const reader = row.source === "github" ? createGithubExport(row.source_path) : createGitlabExport();
  const unpacking = { importId: row.id, archiveId: archiveOf(row), reader, signal };
  return unpackArchive(deps, unpacking).catch(absentIsGone);
}

/** Calls `take` with the archived repository; where there is none, that is noted. Throws as `unpack`, and what `take` throws. */
export async function withArchivedGit(
  deps: ReadArchiveDeps,
  { row, repository, signal }: Reading,
  take: (found: ArchivedGit) => Promise<Note[]>,
): Promise<Note[]> {
  const { git, storage, limits } = deps;
  const entries = archiveEntries(await open(deps, row), deps.archiveBounds, signal);
  const found = await extractGit(git, entries, {
    source: row.source,
    sourcePath: row.source_path,
    within: join(storage.directory(repository.id), "objects"),
    maxBytes: limits.maxBytes,
    timeoutMs: limits.wholeMs,
    signal,
  });
  if (!found) return [noGit];
  try {
    return await take(found);
  } finally {
    await found.remote.close();
  }
}

/** What did not come. */
export function takeLargeOfArchive(
  deps: ReadArchiveDeps,
  { row, repository, signal }: Reading,
  { objects, isLastTry }: { objects: readonly LfsObject[]; isLastTry: boolean },
): Promise<Note[]> {
  return takeArchivedLargeFiles(deps, {
    repositoryId: repository.id,
    objects,
    open: () => open(deps, row),
    bounds: deps.archiveBounds,
    isLastTry,
    signal,
  });
}

function archiveOf({ archive_id: id }: BegunImport): string {
  if (id === null) throw new SourceProblem(gone);
  return id;
}

function open({ archiveBytes }: ReadArchiveDeps, row: BegunImport): Promise<Readable> {
  return archiveBytes.open(archiveOf(row)).catch(absentIsGone);
}

function absentIsGone(error: unknown): never {
  throw error instanceof ObjectNotFound ? new SourceProblem(gone) : error;
}
