/** Which ref updates a push may request at all. Each line is judged; one refused line refuses the whole push. */
import { isSafeRefName, reservedRefs, shortRefName, zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

/** Messages for the pusher; empty if all updates are allowed. */
export function checkRefUpdates(updates: readonly RefUpdate[], defaultBranch: string): string[] {
  if (updates.length === 0) return ["The push does not name a ref."];
  return updates.flatMap((update) => {
    const problem = judgeUpdate(update, defaultBranch);
    return problem ? [`${update.ref}: ${problem}`] : [];
  });
}

/** Why no ref of this name may be here; undefined where it may. */
export function refProblem(ref: string): string | undefined {
  return judgeUpdate({ ref, before: zeroId, after: anyId }, "");
}

const anyId = "1".repeat(40);

function judgeUpdate(update: RefUpdate, defaultBranch: string): string | undefined {
  const { ref, after } = update;
  const short = shortRefName(ref);
  if (!ref.startsWith("refs/")) return "only names below refs/ can be pushed";
  if (reservedRefs.some((prefix) => `${ref}/`.startsWith(prefix)))
    return "this name is reserved for the server";
  if (short.startsWith("-")) return "names must not start with '-'";
  // Such a branch could be taken for a commit or for another ref by whoever resolves its name.
  if (/^[0-9a-f]{40}$/.test(short) || short.startsWith("refs/") || short === "HEAD")
    return "this name is ambiguous";
  if (!fitsOnDisk(ref)) return "names can have at most 1,024 bytes, and 250 between slashes";
  if (!isSafeRefName(ref)) return "this is not a valid name";
  if (after === zeroId && ref === `refs/heads/${defaultBranch}`)
    return "the default branch cannot be deleted";
  return undefined;
}

/** Each ref is a file; during an update there is another file with the same name and `.lock` appended. */
function fitsOnDisk(ref: string): boolean {
  return Buffer.byteLength(ref) <= 1_024 && ref.split("/").every((part) => Buffer.byteLength(part) <= 250);
}
