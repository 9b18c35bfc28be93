/** Files of a workspace as the bytes of an artifact: always the same for the same files, so that an upload can go on. */
import { realpathSync } from "node:fs";
import { crc32 } from "node:zlib";
import { fairTurns } from "../fair-turns.ts";
import {
  encodeEnd,
  encodeHeader,
  encodeIndexEntry,
  endBytes,
  fileMode,
  headerBytes,
  indexEntryBytes,
  linkMode,
  programMode,
  type ZipEntry,
} from "@forgeline/schemas/artifacts/zip.ts";
import { changed, openFound, readFound, type FoundFile } from "./workspace-files.ts";

/** Files up to here are read at once. */
const maxSmallBytes = 256 * 1024;
const pieceBytes = 1024 * 1024;
const modes = { file: fileMode, program: programMode, link: linkMode } as const;

export interface ZipSize {
  sizeBytes: number;
  indexBytes: number;
}

export function zipSize(files: readonly FoundFile[]): ZipSize {
  const indexBytes = files.reduce((sum, { path }) => sum + indexEntryBytes(path), 0);
  const bytes = files.reduce((sum, { path, sizeBytes }) => sum + headerBytes(path) + sizeBytes, 0);
  return { sizeBytes: bytes + indexBytes + endBytes, indexBytes };
}

/** Throws `ArtifactError` for a file that changes meanwhile. A piece is valid until the next one is asked for. */
export async function* writeZip(workspace: string, files: readonly FoundFile[]): AsyncGenerator<Buffer> {
  const index: Buffer[] = [];
  let offset = 0;
  const root = realpathSync(workspace);
  const turn = fairTurns();
  for (const file of files) {
    await turn();
    const bytes = smallBytes(root, file);
    const crc = bytes ? crc32(bytes) : await crcOf(workspace, file);
    const { path, sizeBytes, modifiedMs } = file;
    const entry: ZipEntry = { path, sizeBytes, modifiedMs, crc32: crc, mode: modes[file.kind], offset };
    index.push(encodeIndexEntry(entry));
    yield encodeHeader(entry);
    if (bytes) yield bytes;
    else yield* readChecked(workspace, file, crc);
    offset += headerBytes(path) + sizeBytes;
  }
  const sizeBytes = index.reduce((sum, { length }) => sum + length, 0);
  yield* index;
  yield encodeEnd({ count: files.length, offset, sizeBytes });
}

/** null for a large one. */
function smallBytes(root: string, file: FoundFile): Buffer | null {
  if (file.target !== null) return Buffer.from(file.target);
  return file.sizeBytes > maxSmallBytes ? null : readFound(root, file);
}

/** Before its bytes, since it stands in front of them. */
async function crcOf(workspace: string, file: FoundFile): Promise<number> {
  let crc = 0;
  for await (const piece of readPieces(workspace, file)) crc = crc32(piece, crc);
  return crc;
}

async function* readChecked(workspace: string, file: FoundFile, expected: number): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const piece of readPieces(workspace, file)) {
    crc = crc32(piece, crc);
    yield piece;
  }
  if (crc !== expected) throw changed(file.path);
}

async function* readPieces(workspace: string, file: FoundFile): AsyncGenerator<Buffer> {
  const handle = await openFound(workspace, file);
  const buffer = Buffer.allocUnsafe(pieceBytes);
  try {
    for (let at = 0; at < file.sizeBytes;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, file.sizeBytes - at), at);
      if (bytesRead === 0) throw changed(file.path);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
