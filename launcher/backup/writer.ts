/**
 * A backup that is being written: in a directory beside its place, `PLACE.partial`, which gets its name when everything is
 * there and on disk. So what a killed or failed backup leaves never looks like one, and the next try removes it.
 */
import { createHash, type Hash } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { identityOf, isSameProcess } from "../process-identity.ts";
import { run } from "../run.ts";
import { copyFile } from "./copy-file.ts";
import { entryLine, listName, readEntries, type Entry, type FileEntry } from "./entry.ts";
import { manifestName, type Manifest } from "./manifest.ts";
import type { Throttle } from "./throttle.ts";

export interface BackupWriter {
  /** The file as it is now. Undefined when it does not exist (any more). It counts only once it was added. */
  copy(source: string, path: string): Promise<FileEntry | undefined>;
  /** The same for a file whose name never stands for other content: one of the previous backup is linked. */
  copyLasting(source: string, path: string): Promise<FileEntry | undefined>;
  write(path: string, bytes: Buffer, mode: number): Promise<FileEntry>;
  directory(path: string, mode: number): Promise<Entry>;
  add(entries: readonly Entry[]): Promise<void>;
  /** Takes back what was written below `path` and not added. */
  drop(path: string): Promise<void>;
  totals(): { files: number; bytes: number; linked: number };
  /** Closes the list; its hash. */
  closeList(): Promise<string>;
  /** On disk, under its name, once resolved. */
  finish(manifest: Manifest): Promise<void>;
  /** Removes everything. */
  discard(): Promise<void>;
}

export interface WriterOptions {
  place: string;
  pace: Throttle;
  /** An older backup on the same file system. */
  previous?: string | undefined;
}

const ownerName = "writer.pid";

/** Rejects when the place is taken, or another backup is being written to it. */
export async function openWriter({ place, pace, previous }: WriterOptions): Promise<BackupWriter> {
  const root = await claim(place);
  const list = await open(join(root, listName), "wx", 0o600);
  const hash = createHash("sha256");
  const older = previous === undefined ? undefined : await lastingOf(previous);
  const made = new Set<string>();
  const totals = { files: 0, bytes: 0, linked: 0 };

  async function targetOf(path: string): Promise<string> {
    const target = join(root, path);
    const parent = dirname(target);
    if (!made.has(parent)) {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      made.add(parent);
    }
    return target;
  }

  async function copy(source: string, path: string): Promise<FileEntry | undefined> {
    const copied = await copyFile(source, await targetOf(path), pace);
    return copied && { path, mode: copied.mode, size: copied.sizeBytes, sha256: copied.sha256 };
  }

  return {
    copy,
    async copyLasting(source, path) {
      const known = older?.get(path);
      const info = known && (await stat(source).catch(() => undefined));
      if (known && info?.size === known.size) {
        const linked = await link(join(previous ?? "", path), await targetOf(path)).then(
          () => true,
          () => false,
        );
        if (linked) totals.linked += 1;
        if (linked) return known;
      }
      return copy(source, path);
    },
    async write(path, bytes, mode) {
      await writeFile(await targetOf(path), bytes, { mode: 0o600, flag: "wx" });
      await pace.took(bytes.length);
      return { path, mode, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    async directory(path, mode) {
      await mkdir(join(root, path), { recursive: true, mode: 0o700 });
      return { path, mode, directory: true };
    },
    add: (entries) => addTo({ list, hash, totals }, entries),
    async drop(path) {
      await rm(join(root, path), { recursive: true, force: true });
      made.clear();
    },
    totals: () => totals,
    async closeList() {
      await list.close();
      return hash.digest("hex");
    },
    async finish(manifest) {
      await writeFile(join(root, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
      await rm(join(root, ownerName));
      await syncTree(root);
      await rename(root, place);
      await syncTree(dirname(place));
    },
    async discard() {
      await list.close().catch(() => undefined);
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function addTo(
  { list, hash, totals }: { list: FileHandle; hash: Hash; totals: { files: number; bytes: number } },
  entries: readonly Entry[],
): Promise<void> {
  const text = entries.map(entryLine).join("");
  hash.update(text);
  await list.appendFile(text);
  for (const entry of entries) {
    if ("directory" in entry) continue;
    totals.files += 1;
    totals.bytes += entry.size;
  }
}

/** Makes the directory beside the place; what a dead writer left of it goes. */
async function claim(place: string): Promise<string> {
  if (await exists(place)) throw new Error(`${place} already exists; choose a new directory`);
  const root = `${place}.partial`;
  const owner = await readFile(join(root, ownerName), "utf8").catch(() => "");
  if (isSameProcess(owner))
    throw new Error(`another backup is being written to ${place} (pid ${Number.parseInt(owner, 10)})`);
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { mode: 0o700 });
  await writeFile(join(root, ownerName), identityOf(process.pid) ?? "", { mode: 0o600 });
  return root;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Files of an older backup whose names stand for their content. */
async function lastingOf(previous: string): Promise<Map<string, FileEntry>> {
  const found = new Map<string, FileEntry>();
  await stat(join(previous, manifestName)).catch(() => {
    throw new Error(`${previous} is not a complete backup: it has no ${manifestName}`);
  });
  for await (const entry of readEntries(join(previous, listName)))
    if (!("directory" in entry) && /^(repositories|objects)\//.test(entry.path)) found.set(entry.path, entry);
  return found;
}

/** Everything of the file system that holds `path`: one call, however many files were written. */
export async function syncTree(path: string): Promise<void> {
  await run("sync", process.platform === "linux" ? ["-f", path] : []);
}
