/** Writes a tree as an object in a file of its own, where Git finds it without a process that puts it there. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { objectIdOf } from "./pack.ts";

export interface FlatEntry {
  name: string;
  /** Not of a directory. */
  mode: string;
  oid: string;
}

const compress = promisify(deflate);

/** Entries have to be in the order of their names. Returns the id. */
export async function writeLooseTree(objects: string, entries: readonly FlatEntry[]): Promise<string> {
  const parts = entries.map(({ name, mode, oid }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]),
  );
  const bytes = Buffer.concat(parts);
  const oid = objectIdOf({ type: "tree", bytes });
  const directory = join(objects, oid.slice(0, 2));
  await mkdir(directory, { recursive: true });
  const object = Buffer.concat([Buffer.from(`tree ${bytes.length}\0`), bytes]);
  await writeFile(join(directory, oid.slice(2)), await compress(object));
  return oid;
}
