/** Completes or reverts an atomic push that was applied in part because Git was killed between two refs. */
import type { RefUpdate } from "../refs/ref-update.ts";
import { zeroId } from "../refs/names.ts";
import { syncRefs } from "../refs/refs.ts";
import type { RunGit } from "../processes/run-git.ts";

/** There may be very many, and each is a file that is synced. */
const movingMs = 600_000;

/** Moves all of these refs, if each is where its update begins; else none, and false. Durable. */
export async function moveTogether(
  runGit: RunGit,
  directory: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  const { exitCode } = await runGit({
    directory,
    args: ["update-ref", "--no-deref", "-z", "--stdin"],
    input: updates.map(command).join(""),
    acceptExitCodes: [0, 1, 128],
    timeoutMs: movingMs,
  });
  if (exitCode !== 0) return false;
  await syncRefs(
    directory,
    updates.map(({ ref }) => ref),
  );
  return true;
}

export function backwards(updates: readonly RefUpdate[]): RefUpdate[] {
  return updates.map(({ ref, before, after }) => ({ ref, before: after, after: before }));
}

function command({ ref, before, after }: RefUpdate): string {
  return after === zeroId ? `delete ${ref}\0${before}\0` : `update ${ref}\0${after}\0${before}\0`;
}
