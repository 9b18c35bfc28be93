/**
 * Files of a workspace, whose owner is the job: no link is followed, on the way neither, however fast a process of the job
 * replaces one by the other. What was opened must lie where it was looked for; the kernel says where that is.
 */
import { constants, fstatSync, readlinkSync, realpathSync } from "node:fs";
import { lstat, open, readdir, readlink, type FileHandle } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { isArtifactPath } from "@forgeline/schemas/artifacts/zip.ts";
import { ArtifactError } from "./artifact-error.ts";
import type { PathPatterns } from "./patterns.ts";

export interface FoundFile {
  path: string;
  sizeBytes: number;
  modifiedMs: number;
  kind: "file" | "program" | "link";
  /** Text of a link. */
  target: string | null;
}

export interface FindLimits {
  /** Of what matches. */
  files: number;
  /** Of all that is looked at. */
  entries: number;
}

export interface Found {
  /** By path. */
  files: FoundFile[];
  /** What matches but cannot be part of an artifact, with the reason. */
  leftOut: string[];
}

const isLinux = process.platform === "linux";
const noLink = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Named in a warning. */
const maxLeftOut = 5;

/** Throws `ArtifactError` where there is more than the limits allow, and for a directory that the runner may not read. */
export async function findFiles(
  workspace: string,
  patterns: PathPatterns,
  limits: FindLimits,
): Promise<Found> {
  const root = realpathSync(workspace);
  const found: Found = { files: [], leftOut: [] };
  const open = [""];
  let seen = 0;
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const listed = await listDirectory(root, directory);
    seen += listed?.entries.length ?? 0;
    if (seen > limits.entries)
      throw new ArtifactError(
        `More than ${limits.entries} files and directories would have to be looked at. Name a directory in "paths", such as dist/**.`,
      );
    for (const { name, isDirectory } of listed?.entries ?? []) {
      const path = directory === "" ? name : `${directory}/${name}`;
      if (isDirectory && patterns.mayHold(path)) open.push(path);
      else if (!isDirectory && patterns.matches(path)) await addFile(root, path, found);
    }
    if (found.files.length > limits.files)
      throw new ArtifactError(
        `It has more than ${limits.files} files, which is the limit. Pack them into an archive.`,
      );
  }
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

/** The caller closes it. null where nothing is there, or no directory, or the way to it leads through a link. */
export function openDirectory(root: string, path: string): Promise<FileHandle | null> {
  return openAt(root, path, noLink | constants.O_DIRECTORY);
}

/** null where there is no such directory (any more). */
async function listDirectory(root: string, path: string) {
  const handle = await openDirectory(root, path);
  if (handle === null) return null;
  try {
    const place = isLinux ? `/proc/self/fd/${handle.fd}` : join(root, path);
    const entries = await readdir(place, { withFileTypes: true });
    return { entries: entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() })) };
  } finally {
    await handle.close();
  }
}

const absentCodes = new Set<string | undefined>(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "EAGAIN"]);

/** null where nothing is there that can be opened so, or it lies elsewhere. Throws `ArtifactError` where the runner may not read it. */
async function openAt(root: string, path: string, flags: number): Promise<FileHandle | null> {
  const wanted = path === "" ? root : join(root, path);
  const handle = await open(wanted, flags).catch((error: NodeJS.ErrnoException) => {
    if (absentCodes.has(error.code)) return null;
    throw new ArtifactError(`${path} cannot be read: ${error.code ?? error.message}`, false, {
      cause: error,
    });
  });
  if (handle === null) return null;
  const place = isLinux ? readlinkSync(`/proc/self/fd/${handle.fd}`) : realpathSync(wanted);
  if (place === wanted) return handle;
  await handle.close();
  return null;
}

async function addFile(root: string, path: string, found: Found): Promise<void> {
  const leaveOut = (why: string) => {
    if (found.leftOut.length < maxLeftOut) found.leftOut.push(`${path} (${why})`);
  };
  if (!isArtifactPath(path))
    return leaveOut("its path is too long or has characters that not every system knows");
  // Of the link itself: another process of the job may change it, and what is opened later is looked at again.
  const facts = await lstat(join(root, path)).catch(() => null);
  if (facts === null) return;
  const modifiedMs = facts.mtimeMs;
  if (facts.isSymbolicLink()) {
    const target = await readlink(join(root, path)).catch(() => null);
    if (target === null) return;
    if (!staysInside(path, target)) return leaveOut("a link that leads out of the workspace");
    const sizeBytes = Buffer.byteLength(target);
    found.files.push({ path, sizeBytes, modifiedMs, kind: "link", target });
  } else if (facts.isFile()) {
    const kind = (facts.mode & 0o111) === 0 ? "file" : "program";
    found.files.push({ path, sizeBytes: facts.size, modifiedMs, kind, target: null });
  } else leaveOut("neither a file nor a link");
}

/** Whether a link at `path` leads to somewhere in the workspace, by its words. */
export function staysInside(path: string, target: string): boolean {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return false;
  const end = posix.normalize(posix.join(dirname(path), target));
  return end !== ".." && !end.startsWith("../");
}

/** The caller closes the handle. Throws `ArtifactError` where it is not the file that was found. */
export async function openFound(workspace: string, { path, sizeBytes }: FoundFile): Promise<FileHandle> {
  const handle = await openAt(realpathSync(workspace), path, noLink);
  if (handle === null) throw changed(path);
  const facts = fstatSync(handle.fd);
  if (facts.isFile() && facts.size === sizeBytes) return handle;
  await handle.close();
  throw changed(path);
}

export function changed(path: string): ArtifactError {
  return new ArtifactError(
    `${path} was changed while it was uploaded. End what writes to it before the last step ends.`,
  );
}
