/** Reads an object that is in a file of its own: for few of them this is quicker than a process of Git. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, inflate as inflateWithCallback } from "node:zlib";
import type { GitObject } from "../processes/cat-file-process.ts";

const inflate = promisify(inflateWithCallback);
/** Enough for the header, and for most objects that people commit; unpacked it is four mebibytes at most. */
const startBytes = 4096;

/** `bytes` is null when the object is larger than `maxBytes`, or when that is 0. Throws for what is damaged or absent. */
export async function readLooseObject(objects: string, oid: string, maxBytes: number): Promise<GitObject> {
  const file = await open(join(objects, oid.slice(0, 2), oid.slice(2)));
  try {
    const start = Buffer.alloc(startBytes);
    const { bytesRead } = await file.read(start, 0, startBytes, 0);
    // The rest after the start is not awaited.
    const begun = await inflate(start.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH });
    const header = /^(?<type>[a-z]+) (?<size>\d+)\0/.exec(begun.toString("latin1", 0, 64));
    if (!header) throw new Error(`the object ${oid} is damaged`);
    const { type, size } = header.groups as { type: string; size: string };
    const object = { oid, type, sizeBytes: Number(size) };
    if (maxBytes === 0 || object.sizeBytes > maxBytes) return { ...object, bytes: null };
    const end = header[0].length + object.sizeBytes;
    const whole =
      begun.length >= end ? begun : await inflate(await file.readFile(), { maxOutputLength: end });
    if (whole.length !== end) throw new Error(`the object ${oid} is damaged`);
    return { ...object, bytes: whole.subarray(header[0].length) };
  } finally {
    await file.close();
  }
}
