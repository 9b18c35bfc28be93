/** Writes a commit of a tree that is there, and tells the tree of one: git-commit-tree(1). */
import type { RunGit } from "../processes/run-git.ts";
import { signWritten, type SignCommit } from "../signatures/sign-commit.ts";
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
  /** Absent: it is not signed. */
  sign?: SignCommit | undefined;
}

/** Its id. */
export async function commitTree(runGit: RunGit, place: CombinedPlace, commit: TreeCommit): Promise<string> {
  const { tree, parents, message, author, committer, sign } = commit;
  const { stdout } = await runGit({
    ...place,
    args: ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree],
    env: { ...place.env, ...person("AUTHOR", author), ...person("COMMITTER", committer) },
    input: message,
  });
  const written = stdout.toString("latin1").trim();
  return sign ? signWritten(runGit, place, { commit: written, sign }) : written;
}

function person(role: "AUTHOR" | "COMMITTER", { name, email }: Person): Record<string, string> {
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email };
}

/** Tree of a commit. */
export async function treeOf(runGit: RunGit, place: CombinedPlace, commit: string): Promise<string> {
  const { stdout } = await runGit({ ...place, args: ["rev-parse", "--verify", `${commit}^{tree}`] });
  return stdout.toString("latin1").trim();
}
