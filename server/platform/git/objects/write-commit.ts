/**
 * Makes a commit without a working tree and without an index: only the directories on the way of the change are read,
 * however large the rest is. Git checks the new objects as it checks a push before they are let in.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "../../disk-full.ts";
import { editTree, type ReadTree } from "./edit-tree.ts";
import { objectIdOf, packOf, type NewObject } from "./pack.ts";
import { GitError, type RunGit } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";

export interface NewCommit {
  /** null for the first commit of a branch. */
  parent: { sha: string; tree: string } | null;
  path: string;
  /** null deletes. */
  file: { bytes: Buffer; executable: boolean } | null;
  message: string;
  author: { name: string; email: string };
  committer: { name: string; email: string };
  time: Date;
  /** Absent: it is not signed. */
  sign?: SignCommit | undefined;
}

export interface WrittenCommit {
  sha: string;
  /** Of the file; null where it was deleted. */
  blob: string | null;
}

/** Nothing is written yet. */
export async function makeCommit(
  readTree: ReadTree,
  commit: NewCommit,
): Promise<WrittenCommit & { objects: NewObject[] }> {
  const { path, file, parent } = commit;
  const blob: NewObject | null = file && { type: "blob", bytes: file.bytes };
  const entry = blob && { mode: file?.executable ? "100755" : "100644", oid: objectIdOf(blob) };
  const { oid: tree, trees } = await editTree(readTree, parent?.tree ?? null, { path, entry });
  const text = await commitOf(commit, tree);
  const objects = [...(blob ? [blob] : []), ...trees, text];
  return { sha: objectIdOf(text), blob: entry?.oid ?? null, objects };
}

export async function commitOf(commit: Omit<NewCommit, "path" | "file">, tree: string): Promise<NewObject> {
  const bytes = Buffer.from(commitText(commit, tree), "utf8");
  return { type: "commit", bytes: commit.sign ? await commit.sign(bytes) : bytes };
}

function commitText(commit: Omit<NewCommit, "path" | "file">, tree: string): string {
  const seconds = Math.floor(commit.time.getTime() / 1000);
  const person = ({ name, email }: { name: string; email: string }) =>
    `${name.trim()} <${email}> ${seconds} +0000`;
  return [
    `tree ${tree}`,
    ...(commit.parent ? [`parent ${commit.parent.sha}`] : []),
    `author ${person(commit.author)}`,
    `committer ${person(commit.committer)}`,
    "",
    commit.message.endsWith("\n") ? commit.message : `${commit.message}\n`,
  ].join("\n");
}

/** Git would not accept these objects in a push; the message is Git's reason. */
export class ObjectsRefused extends Error {
  constructor(reason: string | undefined) {
    super(`Git does not accept this${reason ? `: ${reason.slice(0, 300)}` : ""}.`);
    this.name = "ObjectsRefused";
  }
}

/** New objects into the repository. Throws `ObjectsRefused`. */
export async function admitObjects(
  runGit: RunGit,
  directory: string,
  objects: readonly NewObject[],
): Promise<void> {
  const pack = await packOf(objects);
  // Some checks come after the objects are written, so they run in a temporary place.
  const waiting = await mkdtemp(join(directory, "objects", "tmp_objdir-write-"));
  try {
    await runGit({
      directory,
      args: ["-c", "core.fsync=none", "unpack-objects", "--strict", "-q"],
      env: {
        GIT_OBJECT_DIRECTORY: waiting,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(directory, "objects"),
      },
      input: pack,
    }).catch(refuseObjects);
  } finally {
    await rm(waiting, { recursive: true, force: true });
  }
  await runGit({ directory, args: ["unpack-objects", "-q"], input: pack });
}

/** Throws `ObjectsRefused` for an error in the objects, and the error as it is where Git itself has failed. */
export function refuseObjects(error: unknown): never {
  if (!(error instanceof GitError) || error.exitCode === null || isDiskFull(error)) throw error;
  throw new ObjectsRefused(reasonIn(error.stderr));
}

function reasonIn(stderr: string): string | undefined {
  return /^error: (?:object [0-9a-f]{40}: )?(?<text>.+)$/m.exec(stderr)?.groups?.["text"];
}
