/**
 * The first branch pushed to an empty repository becomes its default branch: many Git clients still begin with `master`, and a
 * clone would check out nothing.
 */
import { RepositoryCreate } from "@forgeline/schemas/repositories/resource.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { readRefFiles } from "../../../platform/git/refs/ref-files.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { systemActor, type Actor } from "../../../platform/access/actor.ts";
import type { RecordedPush } from "../pushes/push.ts";
import { isBranchName } from "./check-create.ts";
import { nameDefaultBranch, type DefaultBranchDeps } from "./default-branch.ts";
import { findById } from "./repositories.store.ts";

export interface FirstBranchDeps extends DefaultBranchDeps {
  runGit: RunGit;
}

/** The default of a repository for which nobody chose a branch; any other name was chosen, and stays. */
const usualBranch = RepositoryCreate.shape.default_branch.parse(undefined);
const prefix = "refs/heads/";

/**
 * To be called after refs were updated; `actor` is the system if the pusher is no longer known. A second call changes nothing.
 * Returns messages for the pusher.
 */
export async function adoptFirstBranch(
  deps: FirstBranchDeps,
  push: RecordedPush,
  actor: Actor,
): Promise<string[]> {
  const { db } = deps;
  const made = madeBranches(push);
  if (made.length === 0 || made.includes(usualBranch)) return [];
  const row = await findById(db, push.repositoryId);
  if (row?.default_branch !== usualBranch) return [];
  const there = await branches(deps, push.repositoryId);
  // Also counts branches of an earlier push; the choice is then its owner's.
  if (there.some((branch) => !made.includes(branch))) return [];
  const left = made.filter((each) => there.includes(each));
  const branch = left.find((each) => each === "master") ?? left[0];
  if (branch === undefined || !isBranchName(branch)) return [];
  const known =
    actor.kind === "system" ? { ...systemActor, userId: push.userId, username: push.username } : actor;
  const named = await nameDefaultBranch(deps, known, { ...push, from: usualBranch, to: branch });
  return named ? [`The default branch is now ${branch}, the first branch pushed.`] : [];
}

function madeBranches({ updates }: RecordedPush): string[] {
  return updates
    .filter(({ ref, before, after }) => ref.startsWith(prefix) && before === zeroId && after !== zeroId)
    .map(({ ref }) => ref.slice(prefix.length));
}

async function branches({ storage, runGit }: FirstBranchDeps, repositoryId: string): Promise<string[]> {
  const directory = storage.directory(repositoryId);
  const files = await readRefFiles(directory);
  const names = files ? files.refs.map(({ name }) => Buffer.from(name, "latin1").toString()) : undefined;
  const found = names?.filter((name) => name.startsWith(prefix)) ?? (await listed(runGit, directory));
  return found.map((name) => name.slice(prefix.length));
}

async function listed(runGit: RunGit, directory: string): Promise<string[]> {
  const { stdout } = await runGit({
    directory,
    args: ["for-each-ref", "--format=%(refname)", "refs/heads"],
    maxOutputBytes: 64 * 1024 * 1024,
  });
  return stdout.toString("utf8").trim().split("\n");
}
