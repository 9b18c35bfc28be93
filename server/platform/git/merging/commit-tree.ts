/** Writes a commit of a tree that is there, without a process of Git, and tells the tree of one. */
import { join } from "node:path";
import { writeLooseObject } from "../objects/loose-object.ts";
import type { RunGit } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";
import type { CombinedPlace } from "./combined-objects.ts";

export interface Person {
  name: string;
  email: string;
}

export interface TreeCommit {
  tree: string;
  parents: readonly string[];
  message: string;
  author: Person;
  committer: Person;
  /** Absent: now. */
  date?: Date | undefined;
  /** Absent: it is not signed. */
  sign?: SignCommit | undefined;
}

/** Its id. Durable once resolved. */
export async function commitTree(
  { directory, env }: Pick<CombinedPlace, "directory" | "env">,
  commit: TreeCommit,
): Promise<string> {
  const text = Buffer.from(textOf(commit), "utf8");
  const bytes = commit.sign ? await commit.sign(text) : text;
  const objects = env["GIT_OBJECT_DIRECTORY"] ?? join(directory, "objects");
  return writeLooseObject(objects, { type: "commit", bytes });
}

/** As git-commit-tree(1) writes it. */
export function textOf({ tree, parents, message, author, committer, date = new Date() }: TreeCommit): string {
  const time = `${Math.floor(date.getTime() / 1000)} +0000`;
  return [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person(author)} ${time}`,
    `committer ${person(committer)} ${time}`,
    "",
    message.replaceAll("\0", ""),
  ].join("\n");
}

/** Nothing in it can end it, or begin another line. */
function person({ name, email }: Person): string {
  return `${name.replaceAll(/[<>\p{Cc}]/gu, "").trim()} <${email.replaceAll(/[<>\s\p{Cc}]/gu, "")}>`;
}

/** Tree of a commit. */
export async function treeOf(runGit: RunGit, place: CombinedPlace, commit: string): Promise<string> {
  const { stdout } = await runGit({ ...place, args: ["rev-parse", "--verify", `${commit}^{tree}`] });
  return stdout.toString("latin1").trim();
}
