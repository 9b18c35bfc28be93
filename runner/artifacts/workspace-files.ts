/**
 * Files of a workspace, whose owner is the job: no link is followed, on the way neither, however fast a process of the job
 * replaces one by the other. What was opened must lie where it was looked for; the kernel says where that is.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readlinkSync,
  realpathSync,
  type Dirent,
} from "node:fs";
import { open, opendir, type FileHandle } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { isArtifactPath } from "@forgeline/schemas/artifacts/zip.ts";
import { fairTurns } from "../fair-turns.ts";
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
  /** What to do about more files than these, as a sentence. */
  advice: string;
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

interface Place {
  directory: string;
  name: string;
}

/**
 * Throws `ArtifactError` where there is more than the limits allow, and for a directory that the runner may not read. What it keeps in
 * memory is bounded by the limits, however many files there are.
 */
export async function findFiles(
  workspace: string,
  patterns: PathPatterns,
  limits: FindLimits,
): Promise<Found> {
  const root = realpathSync(workspace);
  const found: Found = { files: [], leftOut: [] };
  // In two parts, of which directories side by side share the first: a job can make paths long.
  const open: Place[] = [{ directory: "", name: "" }];
  const turn = fairTurns();
  let seen = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const directory = pathOf(place);
    for await (const entry of listDirectory(root, directory)) {
      await turn();
      seen += 1;
      if (seen > limits.entries) throw tooManyEntries(patterns, limits);
      const inside = { directory, name: entry.name };
      const path = pathOf(inside);
      if (entry.isDirectory()) {
        if (patterns.mayHold(path)) open.push(inside);
      } else if (patterns.matches(path)) addFile(root, path, found);
      if (found.files.length > limits.files) throw tooManyFiles(patterns, limits);
    }
  }
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  found.leftOut.sort();
  return found;
}

function pathOf({ directory, name }: Place): string {
  return directory === "" ? name : `${directory}/${name}`;
}

function tooManyFiles(patterns: PathPatterns, { files, advice }: FindLimits): ArtifactError {
  return new ArtifactError(`More than ${files} files match ${patterns.words}, which is the limit. ${advice}`);
}

function tooManyEntries(patterns: PathPatterns, { entries }: FindLimits): ArtifactError {
  return new ArtifactError(
    `More than ${entries} files and directories would have to be looked at for ${patterns.words}, which is the limit. Name a directory that holds fewer, such as dist/**.`,
  );
}

/** The caller closes it. null where nothing is there, or no directory, or the way to it leads through a link. */
export function openDirectory(root: string, path: string): Promise<FileHandle | null> {
  return openAt(root, path, noLink | constants.O_DIRECTORY);
}

/** Nothing where there is no such directory (any more). Some at a time: a job can put millions into one. */
async function* listDirectory(root: string, path: string): AsyncGenerator<Dirent> {
  const handle = await openDirectory(root, path);
  if (handle === null) return;
  try {
    const place = isLinux ? `/proc/self/fd/${handle.fd}` : join(root, path);
    yield* await opendir(place, { bufferSize: 1024 });
  } finally {
    await handle.close();
  }
}

const absentCodes = new Set<string | undefined>(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "EAGAIN"]);

/** null where nothing is there that can be opened so, or it lies elsewhere. Throws `ArtifactError` where the runner may not read it. */
async function openAt(root: string, path: string, flags: number): Promise<FileHandle | null> {
  const wanted = path === "" ? root : join(root, path);
  const handle = await open(wanted, flags).catch((error: unknown) => notOpened(path, error));
  if (handle === null || liesAt(wanted, handle.fd)) return handle;
  await handle.close();
  return null;
}

/** null for what is not there. Throws anything else. */
function notOpened(path: string, error: unknown): null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (absentCodes.has(code)) return null;
  throw new ArtifactError(`${path} cannot be read: ${code ?? message}`, false, { cause: error });
}

/** No link has led elsewhere. */
function liesAt(wanted: string, fd: number): boolean {
  return (isLinux ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(wanted)) === wanted;
}

function addFile(root: string, path: string, found: Found): void {
  const leaveOut = (why: string) => {
    if (found.leftOut.length < maxLeftOut) found.leftOut.push(`${path} (${why})`);
  };
  if (!isArtifactPath(path))
    return leaveOut("its path is too long or has characters that not every system knows");
  // Of the link itself: another process of the job may change it, and what is opened later is looked at again.
  const facts = ifThere(() => lstatSync(join(root, path)));
  if (facts === null) return;
  const modifiedMs = facts.mtimeMs;
  if (facts.isSymbolicLink()) {
    const target = ifThere(() => readlinkSync(join(root, path)));
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

function ifThere<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** The caller closes the handle. Throws `ArtifactError` where it is not the file that was found. */
export async function openFound(workspace: string, file: FoundFile): Promise<FileHandle> {
  const handle = await openAt(realpathSync(workspace), file.path, noLink);
  if (handle === null) throw changed(file.path);
  if (isFound(handle.fd, file)) return handle;
  await handle.close();
  throw changed(file.path);
}

/** All of a small file, read in place. `root` is the real path of the workspace. Throws as `openFound`. */
export function readFound(root: string, file: FoundFile): Buffer {
  const wanted = join(root, file.path);
  const fd = tryOpen(wanted, file.path);
  if (fd === null) throw changed(file.path);
  try {
    if (!liesAt(wanted, fd) || !isFound(fd, file)) throw changed(file.path);
    const bytes = Buffer.allocUnsafe(file.sizeBytes);
    if (readSync(fd, bytes, 0, bytes.length, 0) !== bytes.length) throw changed(file.path);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function tryOpen(wanted: string, path: string): number | null {
  try {
    return openSync(wanted, noLink);
  } catch (error) {
    return notOpened(path, error);
  }
}

function isFound(fd: number, { sizeBytes }: FoundFile): boolean {
  const facts = fstatSync(fd);
  return facts.isFile() && facts.size === sizeBytes;
}

export function changed(path: string): ArtifactError {
  return new ArtifactError(
    `${path} was changed while it was uploaded. End what writes to it before the last step ends.`,
  );
}
