/** The bytes of an artifact, whose parts are read one after the other, and the list of files at its end. */
import type { Readable } from "node:stream";
import { maxIndexBytes, partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import {
  decodeEnd,
  decodeIndex,
  endBytes,
  headerBytes,
  type ZipEntry,
} from "@forgeline/schemas/artifacts/zip.ts";
import type { ByteRange, ObjectStore } from "../../../platform/objects/object-store.ts";
import { partKey } from "./part-key.ts";

export interface StoredArtifact {
  id: string;
  repository_id: string;
  size_bytes: number;
  parts: readonly string[];
}

export interface ArtifactContent {
  /** Rejects, perhaps in the middle, with `ObjectNotFound` where the store has lost a part. */
  read(artifact: StoredArtifact, range: ByteRange): AsyncGenerator<Buffer>;
  /** Throws `RangeError` where it is no artifact in our form. */
  readIndex(artifact: StoredArtifact): Promise<ZipEntry[]>;
  readPart(artifact: StoredArtifact, number: number): Promise<Readable>;
}

/** Of a file in the artifact. */
export function rangeOfFile({ path, offset, sizeBytes }: ZipEntry): ByteRange {
  const start = offset + headerBytes(path);
  return { start, end: start + sizeBytes };
}

export function createArtifactContent(objects: ObjectStore): ArtifactContent {
  async function* read(artifact: StoredArtifact, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    for (let number = Math.floor(start / partBytes); number * partBytes < end; number += 1) {
      const from = number * partBytes;
      const range = { start: Math.max(start - from, 0), end: Math.min(end - from, partBytes) };
      const key = partKey(artifact, { number, sha256: artifact.parts[number] ?? "" });
      yield* (await objects.get(key, range)) as AsyncIterable<Buffer>;
    }
  }

  async function readWhole(artifact: StoredArtifact, range: ByteRange): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of read(artifact, range)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  return {
    read,
    async readIndex(artifact) {
      const total = artifact.size_bytes;
      if (total < endBytes) throw new RangeError("it has no list of files");
      const place = decodeEnd(await readWhole(artifact, { start: total - endBytes, end: total }), total);
      if (place.sizeBytes > maxIndexBytes) throw new RangeError("its list of files is too long");
      return decodeIndex(
        await readWhole(artifact, { start: place.offset, end: place.offset + place.sizeBytes }),
        place,
      );
    },
    readPart: (artifact, number) =>
      objects.get(partKey(artifact, { number, sha256: artifact.parts[number] ?? "" })),
  };
}
