/** Git LFS objects that commits stand for. */
import { join } from "node:path";
import { visitSmall } from "../../../platform/git/objects/received-objects.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { WantedObject } from "./lfs.store.ts";
import { maxPointerBytes, mayBePointer, parsePointer } from "./pointers.ts";

export interface Reach {
  /** Of the bare repository. */
  directory: string;
  /** Ids of commits, tags or files. */
  tips: readonly string[];
  /** What these reach is left out; those that are not there are ignored. */
  without: readonly string[];
}

const maxListBytes = 512 * 1024 * 1024;
const timeoutMs = 30 * 60 * 1000;

/** Each once. */
export async function findReachablePointers(
  git: Pick<Git, "run">,
  { directory, tips, without }: Reach,
): Promise<WantedObject[]> {
  if (tips.length === 0) return [];
  const { stdout } = await git.run({
    directory,
    args: [
      "rev-list",
      "--objects",
      "--no-object-names",
      `--filter=combine:object:type=blob+blob:limit=${maxPointerBytes + 1}`,
      "--filter-provided-objects",
      "--ignore-missing",
      "--stdin",
    ],
    input: [...tips, ...without.map((oid) => `^${oid}`), ""].join("\n"),
    yields: true,
    timeoutMs,
    maxOutputBytes: maxListBytes,
  });
  const ids = stdout
    .toString("latin1")
    .split("\n")
    .filter((oid) => oid !== "");
  const found = new Map<string, WantedObject>();
  const place = { directory, quarantine: join(directory, "objects") };
  await visitSmall(git.run, { place, ids, maxBytes: maxPointerBytes }, (bytes) => {
    const object = mayBePointer(bytes.length) ? parsePointer(bytes) : undefined;
    if (object) found.set(object.oid, object);
  });
  return [...found.values()];
}
