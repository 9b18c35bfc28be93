/**
 * The new objects of one push: those in its quarantine, whatever reaches them. Their ids come from the files there; so do the
 * sizes and contents of single ones, and those of packed ones from one process. The cost follows the push and not the
 * repository.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createCatFile, type GitObject } from "../processes/cat-file-process.ts";
import { readLooseObject } from "./loose-object.ts";
import type { RunGit, StartGit } from "../processes/run-git.ts";

/** Where the objects of a push are until its refs may be updated. */
export interface Quarantine {
  /** Of the bare repository. */
  directory: string;
  quarantine: string;
}

/** Environment in which Git sees the quarantine's objects beside the repository's. */
export function quarantineEnvironment({ directory, quarantine }: Quarantine): Record<string, string> {
  return {
    GIT_OBJECT_DIRECTORY: quarantine,
    // Quoted, since a colon would end a path in the list.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(directory, "objects")),
  };
}

/** Ids, by how the objects lie there: Git packs what comes in larger pushes. */
export interface Received {
  loose: string[];
  packed: string[];
}

export async function receivedIds(quarantine: string): Promise<Received> {
  const entries = await readdir(quarantine);
  const loose = await Promise.all(
    entries
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .map(async (name) => (await readdir(join(quarantine, name))).map((rest) => `${name}${rest}`)),
  );
  const packs = entries.includes("pack") ? await readdir(join(quarantine, "pack")) : [];
  const indexes = packs.filter((name) => name.endsWith(".idx"));
  const packed = await Promise.all(
    indexes.map(async (name) => idsInIndex(await readFile(join(quarantine, "pack", name)))),
  );
  return { loose: loose.flat().filter((name) => /^[0-9a-f]{40}$/.test(name)), packed: packed.flat() };
}

const fanOutBytes = 256 * 4;
const headBytes = 8;
const idBytes = 20;

/** Version 2 of a pack's index: its head, how many ids begin with each byte or a lower one, then the ids in order. */
function idsInIndex(index: Buffer): string[] {
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
    throw new Error("the index of a pack is not of version 2");
  const count = index.readUInt32BE(headBytes + fanOutBytes - 4);
  const start = headBytes + fanOutBytes;
  return Array.from({ length: count }, (_, i) =>
    index.toString("hex", start + i * idBytes, start + (i + 1) * idBytes),
  );
}

const atOnce = 200;

/** Type and size of each object, and the bytes of those up to `maxBytes`; given to `visit` as they come, none kept. */
export async function visitObjects(
  startGit: StartGit,
  { place, received: { loose, packed } }: { place: Quarantine; received: Received },
  options: { maxBytes: number; visit: (object: GitObject) => void },
): Promise<void> {
  const { maxBytes } = options;
  await visitEach(loose, (id) => readLooseObject(place.quarantine, id, maxBytes), options.visit);
  if (packed.length === 0) return;
  const env = quarantineEnvironment(place);
  const catFile = createCatFile((start) => startGit({ ...start, env }), place.directory, 60_000);
  try {
    await visitEach(packed, (id) => catFile.read(id, maxBytes), options.visit);
  } finally {
    catFile.close();
  }
}

export interface ObjectSize {
  oid: string;
  type: string;
  sizeBytes: number;
}

const sizesAtOnce = 100_000;

/** Type and size alone, which is ten times as fast for many: Git answers without waiting for the next question. */
export async function visitSizes(
  runGit: RunGit,
  { place, received: { loose, packed } }: { place: Quarantine; received: Received },
  visit: (object: ObjectSize) => void,
): Promise<void> {
  const ids = [...loose, ...packed];
  const asked = { question: "--batch-check", place, ids, atOnce: sizesAtOnce, maxBytes: 0 } as const;
  for await (const stdout of askCatFile(runGit, asked))
    for (const line of stdout.toString("latin1").split("\n")) {
      const [oid = "", type = "", size = ""] = line.split(" ");
      if (size !== "") visit({ oid, type, sizeBytes: Number(size) });
    }
}

const smallAtOnce = 5_000;

/**
 * The bytes of objects of which each is known to have at most `maxBytes`, many times as fast for many as `visitObjects`: Git
 * answers without waiting for the next question. Those that are missing are left out.
 */
export async function visitSmall(
  runGit: RunGit,
  { place, ids, maxBytes }: { place: Quarantine; ids: readonly string[]; maxBytes: number },
  visit: (bytes: Buffer) => void,
): Promise<void> {
  const asked = { question: "--batch", place, ids, atOnce: smallAtOnce, maxBytes } as const;
  for await (const stdout of askCatFile(runGit, asked))
    for (let start = 0; start < stdout.length;) {
      const end = stdout.indexOf("\n", start);
      const size = Number(stdout.toString("latin1", start, end).split(" ")[2]);
      start = end + 1;
      if (Number.isNaN(size)) continue;
      visit(stdout.subarray(start, start + size));
      start += size + 1;
    }
}

interface CatFileQuestion {
  question: "--batch" | "--batch-check";
  place: Quarantine;
  ids: readonly string[];
  atOnce: number;
  /** Of the contents of one object; 0 where only its size is asked. */
  maxBytes: number;
}

/** Its id, type and size, and what stands between them. */
const headBytesOfAnswer = 100;

/** What Git prints, for so many objects at a time. */
async function* askCatFile(
  runGit: RunGit,
  { question, place, ids, atOnce: count, maxBytes }: CatFileQuestion,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < ids.length; at += count) {
    const { stdout } = await runGit({
      directory: place.directory,
      args: ["cat-file", question, "--buffer"],
      env: quarantineEnvironment(place),
      input: `${ids.slice(at, at + count).join("\n")}\n`,
      timeoutMs: 600_000,
      maxOutputBytes: count * (maxBytes + headBytesOfAnswer),
    });
    yield stdout;
  }
}

async function visitEach(
  ids: readonly string[],
  read: (id: string) => Promise<GitObject | undefined>,
  visit: (object: GitObject) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const objects = await Promise.all(ids.slice(at, at + atOnce).map(read));
    for (const object of objects) if (object) visit(object);
  }
}
