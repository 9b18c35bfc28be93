/** What becomes of the wait for merging by itself when something happens to the merge request, in the transaction of that. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import type { Transaction } from "../../../../platform/db/database.ts";
import * as store from "../auto-merges.store.ts";
import { reasonToEnd } from "./reason-to-end.ts";

/** Why it ends; undefined: nobody asked for it, or it is tried again soon. `bringerId`: who brought the head. */
export async function followAutoMerge(
  tx: Transaction,
  id: string,
  { action, bringerId }: { action: string; bringerId: string | null },
): Promise<AutoMergeEnd | undefined> {
  if (action === "queued") return endByQueue(tx, id);
  const standing = await store.findStanding(tx, id, bringerId);
  const reason = standing && reasonToEnd(standing, action);
  if (standing && !reason) await store.touch(tx, id);
  return reason;
}

/** From then on the queue merges it, so nobody is told that it waits no longer. */
async function endByQueue(tx: Transaction, id: string): Promise<undefined> {
  if (await store.remove(tx, id)) tx.count("forgeline_auto_merges_total", { outcome: "queued" });
}

/** It is merged: with `sha`, which may be what was made for the wait (`byItself`). `asker`: who had asked for it; null: nobody. */
export async function endByMerge(
  tx: Transaction,
  id: string,
  sha: string,
): Promise<{ byItself: boolean; asker: string | null }> {
  const removed = await store.remove(tx, id);
  if (!removed) return { byItself: false, asker: null };
  const byItself = removed.mergingSha === sha;
  tx.count("forgeline_auto_merges_total", { outcome: byItself ? "merged" : "merged_otherwise" });
  return { byItself, asker: removed.userId };
}
