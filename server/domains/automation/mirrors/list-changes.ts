/** What a sync changes, as its history shows it. */
import type { RefChange } from "@forgeline/schemas/mirrors/resource.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { changeOf } from "./plan-changes.ts";

/** So many are listed with a sync. */
const maxListed = 100;

/** `directory` has the objects of both sides, or else what was there counts as replaced. */
export async function listChanges(
  runGit: RunGit,
  directory: string,
  updates: readonly RefUpdate[],
): Promise<RefChange[]> {
  const listed: RefChange[] = [];
  for (const update of updates.slice(0, maxListed)) {
    const { before, after } = update;
    const shown = changeOf(update);
    const isForced =
      shown.change === "updated" &&
      !(await isAncestor(runGit, { directory, quarantine: null, before, after }));
    listed.push(isForced ? { ...shown, change: "forced" } : shown);
  }
  return listed;
}
