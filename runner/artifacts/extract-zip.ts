/**
 * Puts the files of an artifact into a workspace in which no program runs yet. Nothing is written through a link, and nothing
 * outside of the workspace; what stands in the place of a file gives way.
 */
import { closeSync, constants, lstatSync, mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { chmod, open, readFile, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { maxArtifactFiles, maxIndexBytes } from "@forgeline/schemas/artifacts/limits.ts";
import {
  decodeEnd,
  decodeHeader,
  decodeIndex,
  endBytes,
  headerStartBytes,
  isArtifactPath,
  linkMode,
  programMode,
  type ZipEntry,
} from "@forgeline/schemas/artifacts/zip.ts";
import { fairTurns } from "../fair-turns.ts";
import { ArtifactError } from "./artifact-error.ts";
import { createByteReader, type ByteReader } from "./byte-reader.ts";
import { staysInside } from "./workspace-files.ts";

const smallBytes = 256 * 1024;
const create = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** How many files. Throws `ArtifactError`. */
export async function extractZip(
  pieces: AsyncIterable<Buffer>,
  { workspace, sizeBytes }: { workspace: string; sizeBytes: number },
): Promise<number> {
  const reader = createByteReader(pieces);
  const tree = createTree(workspace);
  try {
    const count = await extractFiles(reader, tree);
    const rest = await reader.rest(maxIndexBytes + endBytes);
    const place = decodeEnd(rest.subarray(-endBytes), sizeBytes);
    const entries = decodeIndex(rest.subarray(0, -endBytes), place);
    if (entries.length !== count) throw new RangeError("its list of files has another length");
    await finish(workspace, entries);
    return count;
  } catch (error) {
    if (error instanceof RangeError)
      throw new ArtifactError(`it cannot be read: ${error.message}`, false, { cause: error });
    throw error;
  }
}

async function extractFiles(reader: ByteReader, tree: Tree): Promise<number> {
  const turn = fairTurns();
  for (let count = 0; ; count += 1) {
    const header = decodeHeader(await reader.peek(headerStartBytes));
    if (header === null) return count;
    if (count === maxArtifactFiles) throw new RangeError("it has too many files");
    await reader.take(headerStartBytes);
    const path = (await reader.take(header.nameBytes)).toString();
    await turn();
    const target = tree.makeRoom(path);
    if (header.sizeBytes > smallBytes) await writePieces(target, reader.pieces(header.sizeBytes));
    else writeSmall(target, await reader.take(header.sizeBytes));
  }
}

async function writePieces(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, create, 0o644);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

function writeSmall(path: string, bytes: Buffer): void {
  const fd = openSync(path, create, 0o644);
  try {
    writeFileSync(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

interface Tree {
  /** Where the file is to be created; nothing is there, and all above it are directories. Throws `ArtifactError`. */
  makeRoom(path: string): string;
}

function createTree(workspace: string): Tree {
  const known = new Set<string>([workspace]);

  function requireDirectory(directory: string, path: string): void {
    if (known.has(directory)) return;
    requireDirectory(dirname(directory), path);
    ignoring("EEXIST", () => mkdirSync(directory));
    if (!lstatSync(directory).isDirectory())
      throw new ArtifactError(
        `${path} cannot be written: something above it in the checkout is not a directory.`,
      );
    known.add(directory);
  }

  return {
    makeRoom(path) {
      if (!isArtifactPath(path)) throw new RangeError("a path leads elsewhere");
      const target = join(workspace, path);
      requireDirectory(dirname(target), path);
      try {
        ignoring("ENOENT", () => unlinkSync(target));
      } catch (cause) {
        throw new ArtifactError(`${path} cannot be written: a directory has this name.`, false, { cause });
      }
      return target;
    },
  };
}

function ignoring(expected: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error;
  }
}

/** What only the list at the end tells. Links come last: nothing was written through them. */
async function finish(workspace: string, entries: readonly ZipEntry[]): Promise<void> {
  for (const { path, mode } of entries) if (mode === programMode) await chmod(join(workspace, path), 0o755);
  for (const { path, mode } of entries) {
    if (mode !== linkMode) continue;
    const place = join(workspace, path);
    const target = (await readFile(place)).toString();
    if (!staysInside(path, target)) throw new RangeError("a link leads out of the workspace");
    await rm(place);
    await symlink(target, place);
  }
}
