/** Git objects made here, and the pack in which they are handed to Git. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";

export interface NewObject {
  type: "commit" | "tree" | "blob" | "tag";
  bytes: Buffer;
}

const typeCodes: Record<NewObject["type"], number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const compress = promisify(deflate);

export function objectIdOf({ type, bytes }: NewObject): string {
  return createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Version 2 of the format, every object whole. */
export async function packOf(objects: readonly NewObject[]): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const object of objects) parts.push(entryHead(object), await compress(object.bytes));
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Type and size: four bits of the size in the first byte, seven in each further one, the lowest first. */
function entryHead({ type, bytes }: NewObject): Buffer {
  const head: number[] = [];
  let rest = Math.floor(bytes.length / 16);
  let byte = typeCodes[type] * 16 + (bytes.length % 16);
  while (rest > 0) {
    head.push(byte + 128);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...head, byte]);
}
