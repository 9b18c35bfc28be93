/** The files of a checkout that stand for objects of Git LFS, as its own client tells: by attribute and by content. */
import { lstat, readFile } from "node:fs/promises";
import { maxPointerBytes, parseLfsPointer } from "@forgeline/schemas/lfs/pointer.ts";
import { askGit, type GitAccess } from "../git.ts";
import { LfsError } from "./lfs-error.ts";

export interface LfsFiles {
  oid: string;
  sizeBytes: number;
  /** Where the object belongs, from the top of the checkout on. File names are bytes, not always UTF-8. */
  paths: Buffer[];
}

export type LfsCheckout = GitAccess & { directory: string; signal: AbortSignal };

export function inCheckout(directory: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), path]);
}

/** Each object once. Throws `LfsError` for pointers that only programs of their committer could follow. */
export async function findLfsFiles(checkout: LfsCheckout): Promise<LfsFiles[]> {
  const found = new Map<string, LfsFiles>();
  for (const path of await listAttributed(checkout)) {
    const pointer = await readPointer(inCheckout(checkout.directory, path));
    if (!pointer) continue;
    if (pointer.isExtended)
      throw new LfsError(
        `${path.toString()} needs a Git LFS extension, which the runner does not support`,
        false,
      );
    const { oid, sizeBytes } = pointer;
    const known = found.get(`${oid} ${sizeBytes}`);
    if (known) known.paths.push(path);
    else found.set(`${oid} ${sizeBytes}`, { oid, sizeBytes, paths: [path] });
  }
  return [...found.values()];
}

/** Ordinary files only: a symbolic link has its attributes, too, and is no pointer. */
async function listAttributed(checkout: LfsCheckout): Promise<Buffer[]> {
  const { directory: cwd, signal } = checkout;
  const args = ["ls-files", "--stage", "-z", "--", ":(attr:filter=lfs)"];
  const listed = await askGit(checkout, { cwd, args, signal });
  const paths: Buffer[] = [];
  for (let at = 0; at < listed.length;) {
    const end = listed.indexOf(0, at);
    const line = listed.subarray(at, end);
    if (line.toString("latin1", 0, 3) === "100") paths.push(line.subarray(line.indexOf("\t") + 1));
    at = end + 1;
  }
  return paths;
}

async function readPointer(path: Buffer) {
  const { size } = await lstat(path);
  return size > maxPointerBytes ? null : parseLfsPointer(await readFile(path, "latin1"));
}
