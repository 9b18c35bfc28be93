/** What people change in the merge queue of a branch. */
import type { Driver } from "./driver.ts";

/** `path`: of an open merge request into `main`. */
export async function changeQueue(
  { change }: Driver,
  by: string,
  path: Record<string, string>,
): Promise<void> {
  const { number, ...R } = path;
  const rule = { pattern: "main", merge_queue: {} };
  const { id } = (await change("createBranchProtection", { by, path: R, body: rule })).json;
  await change("updateMergeQueue", { by, path: R, body: { paused: true } });
  await change("addToMergeQueue", { by, path: R, body: { number: Number(number) } });
  await change("moveInMergeQueue", { by, path, body: { position: "first" } });
  await change("removeFromMergeQueue", { by, path });
  await change("deleteBranchProtection", { by, path: { ...R, id } });
}
