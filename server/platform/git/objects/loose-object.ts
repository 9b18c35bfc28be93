/** Reads and writes an object that is in a file of its own: for few of them this is quicker than a process of Git. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, deflate as deflateWithCallback, inflate as inflateWithCallback } from "node:zlib";
import { syncDirectory } from "../../durable-files.ts";
import type { GitObject } from "../processes/cat-file-process.ts";
import { objectIdOf, type NewObject } from "./pack.ts";

const inflate = promisify(inflateWithCallback);
const deflate = promisify(deflateWithCallback);
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

/** Its id. Durable once resolved; what is written twice is the same file. Maintenance removes what a process that died has left. */
export async function writeLooseObject(objects: string, object: NewObject): Promise<string> {
  const oid = objectIdOf(object);
  const head = Buffer.from(`${object.type} ${object.bytes.length}\0`, "latin1");
  const to = join(objects, oid.slice(0, 2));
  const isNew = (await mkdir(to, { recursive: true })) !== undefined;
  // The name by which Git knows a file that is not finished.
  const unfinished = join(to, `tmp_obj_${randomUUID()}`);
  await writeFile(unfinished, await deflate(Buffer.concat([head, object.bytes])), {
    flush: true,
    flag: "wx",
    mode: 0o444,
  });
  await rename(unfinished, join(to, oid.slice(2)));
  await syncDirectory(to);
  if (isNew) await syncDirectory(objects);
  return oid;
}
