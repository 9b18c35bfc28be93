/** Updates one ref, if it still has the expected value. */
import type { RefUpdate } from "./ref-update.ts";
import { zeroId } from "./names.ts";
import { syncRefs } from "./refs.ts";
import { GitError, type RunGit } from "../processes/run-git.ts";

/** `elsewhere`: it is not at `before`, or is being updated right now. `clash`: it is there already, or its name conflicts with another ref. */
export type MoveOutcome = "moved" | "elsewhere" | "clash";

/** Durable if it returns `moved`; otherwise nothing has changed. Throws `GitError` if the result is unknown. */
export async function moveRef(runGit: RunGit, directory: string, update: RefUpdate): Promise<MoveOutcome> {
  const { ref, before, after } = update;
  const command = after === zeroId ? `delete ${ref}\0${before}\0` : `update ${ref}\0${after}\0${before}\0`;
  const result = await runGit({
    directory,
    args: ["update-ref", "--no-deref", "-z", "--stdin"],
    input: command,
    acceptExitCodes: [0, 1, 128],
  });
  if (result.exitCode === 0) {
    await syncRefs(directory, [ref]);
    return "moved";
  }
  // Git has no codes for these; its messages are those of LC_ALL=C.
  if (/cannot create|cannot lock ref .*(?:non-empty directory| exists;)/.test(result.stderr)) return "clash";
  if (before === zeroId && /reference already exists/.test(result.stderr)) return "clash";
  if (/but expected|already exists|File exists|unable to resolve reference/.test(result.stderr))
    return "elsewhere";
  throw new GitError("update-ref", result.exitCode, result.stderr);
}
