/**
 * Parts of caches and artifacts that this runner has sent or fetched, kept by their hash: what a later job here asks for need not
 * be fetched again. What was used least gives way, and all of it where the disk runs low. Nothing of it is needed.
 */
import { createHash } from "node:crypto";
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { sha256Of } from "./part-hash.ts";

export interface KeptParts {
  /** Its bytes; null where it is not kept. Never rejects. */
  find(sha256: string): Promise<Buffer | null>;
  /** `bytes` must have this hash. Never rejects: what cannot be kept is not. */
  keep(sha256: string, bytes: Buffer): Promise<void>;
  /** What these parts hold, as one archive that is not compressed; null where it is not kept. The caller closes it. Never rejects. */
  findArchive(parts: readonly string[]): Promise<FileHandle | null>;
  /** Takes over the file, which must hold what these parts do, from the same disk. Never rejects: it may stay where it is. */
  keepArchive(parts: readonly string[], path: string): Promise<void>;
  /** Makes room for others. Never rejects. */
  clear(): Promise<void>;
}

export interface KeptPartsOptions {
  /** Belongs to the kept parts alone. */
  directory: string;
  /** Of all of them; with 0 nothing is kept. */
  maxBytes: number;
  /** With less free on the disk, nothing is kept. */
  minFreeBytes: number;
}

interface Kept {
  sizeBytes: number;
  /** A power cut may have torn what an earlier process wrote: it is looked at before its first use. */
  isChecked: boolean;
}

/** Of all that is kept: one archive that nobody needs again must not cost everything else. */
const archiveShare = 1 / 4;

/** By what a part is called. Drafts are not, and neither are archives: those of an earlier process have no hash of their own. */
const partName = /^[0-9a-f]{64}$/;

export async function openKeptParts(options: KeptPartsOptions): Promise<KeptParts> {
  const { directory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  /** Those used last stand last. */
  const parts = await readKept(directory);
  const pathOf = (sha256: string) => join(directory, sha256);
  let sumBytes = [...parts.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  async function forget(sha256: string): Promise<void> {
    sumBytes -= parts.get(sha256)?.sizeBytes ?? 0;
    parts.delete(sha256);
    await rm(pathOf(sha256), { force: true });
  }

  /** Whether there is room for so many bytes more. */
  async function makeRoom(bytes: number, newBytes = bytes): Promise<boolean> {
    if (bytes > options.maxBytes) return false;
    for (;;) {
      const { bavail, bsize } = await statfs(directory);
      if (sumBytes + bytes <= options.maxBytes && bavail * bsize - newBytes >= options.minFreeBytes)
        return true;
      const [oldest] = parts.keys();
      if (oldest === undefined) return false;
      await forget(oldest);
    }
  }

  async function read(sha256: string): Promise<Buffer | null> {
    const kept = parts.get(sha256);
    if (!kept) return null;
    const bytes = await readFile(pathOf(sha256));
    if (!kept.isChecked && (await sha256Of(bytes)) !== sha256) {
      await forget(sha256);
      return null;
    }
    // Another job may have made room meanwhile.
    if (parts.delete(sha256)) parts.set(sha256, { ...kept, isChecked: true });
    await utimes(pathOf(sha256), new Date(), new Date());
    return bytes;
  }

  async function write(sha256: string, bytes: Buffer): Promise<void> {
    if (parts.has(sha256) || !(await makeRoom(bytes.length))) return;
    parts.set(sha256, { sizeBytes: bytes.length, isChecked: true });
    sumBytes += bytes.length;
    const draft = `${pathOf(sha256)}.new`;
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, pathOf(sha256));
  }

  async function openArchive(name: string): Promise<FileHandle | null> {
    const kept = parts.get(name);
    if (!kept) return null;
    const file = await open(pathOf(name));
    if ((await file.stat()).size !== kept.sizeBytes) {
      await file.close();
      throw new Error("it has another size");
    }
    // It is used: the longest unused stands first.
    if (parts.delete(name)) parts.set(name, kept);
    return file;
  }

  async function takeOver(name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const isWanted = !parts.has(name) && size <= options.maxBytes * archiveShare;
    // Its bytes are on the disk already.
    if (!isWanted || !(await makeRoom(size, 0))) return;
    parts.set(name, { sizeBytes: size, isChecked: true });
    sumBytes += size;
    await rename(path, pathOf(name));
  }

  return {
    findArchive: (hashes) =>
      openArchive(archiveName(hashes)).catch(async () => {
        await forget(archiveName(hashes)).catch(() => undefined);
        return null;
      }),
    keepArchive: (hashes, path) =>
      takeOver(archiveName(hashes), path).catch(() => forget(archiveName(hashes)).catch(() => undefined)),
    find: (sha256) =>
      read(sha256).catch(async () => {
        await forget(sha256).catch(() => undefined);
        return null;
      }),
    keep: (sha256, bytes) => write(sha256, bytes).catch(() => forget(sha256).catch(() => undefined)),
    async clear() {
      for (const sha256 of parts.keys()) await forget(sha256).catch(() => undefined);
    },
  };
}

function archiveName(parts: readonly string[]): string {
  return `${createHash("sha256").update(parts.join("\n")).digest("hex")}.tar`;
}

/** What an earlier process has kept, the longest unused first. Drafts of one that died are removed. */
async function readKept(directory: string): Promise<Map<string, Kept>> {
  const found: { name: string; sizeBytes: number; usedMs: number }[] = [];
  for (const name of await readdir(directory)) {
    if (!partName.test(name)) await rm(join(directory, name), { recursive: true, force: true });
    else {
      const { size, mtimeMs } = await stat(join(directory, name));
      found.push({ name, sizeBytes: size, usedMs: mtimeMs });
    }
  }
  found.sort((a, b) => a.usedMs - b.usedMs);
  return new Map(found.map(({ name, sizeBytes }) => [name, { sizeBytes, isChecked: false }]));
}
