/** Trees, commits and tags byte for byte, also those that Git's own tools would not make. */
import { objectId, type PackEntry } from "./git-packets.ts";

export interface HandMadeEntry {
  mode: string;
  name: string | Buffer;
  id: string;
}

export interface HandMade {
  /** Of what a ref is to name. */
  id: string;
  entries: PackEntry[];
}

export const person = "Eve <eve@example.org> 1700000000 +0000";

export function treeOf(entries: readonly HandMadeEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(id, "hex"),
    ]),
  );
}

/** A commit of this tree, and whatever else the tree names. */
export function commitOfTree(tree: Buffer, more: readonly PackEntry[] = []): HandMade {
  const body = `tree ${objectId("tree", tree)}\nauthor ${person}\ncommitter ${person}\n\nby hand\n`;
  return {
    id: objectId("commit", body),
    entries: [{ type: "commit", body }, { type: "tree", body: tree }, ...more],
  };
}

export interface HandMadeFile {
  mode?: string;
  name: string | Buffer;
  text: string;
}

/** A commit of these files in this order, none of them sorted. */
export function commitOfFiles(...files: readonly HandMadeFile[]): HandMade {
  const blobs = [...new Set(files.map(({ text }) => text))];
  const entries = files.map(({ mode = "100644", name, text }) => ({
    mode,
    name,
    id: objectId("blob", text),
  }));
  return commitOfTree(
    treeOf(entries),
    blobs.map((body) => ({ type: "blob", body })),
  );
}
