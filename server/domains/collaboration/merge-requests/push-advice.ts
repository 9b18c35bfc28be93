/** What `git push` says below its own words: where the merge request of a branch is, or where one can be created. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Database } from "../../../platform/db/database.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RecordedPush, Upstreams } from "../../hosting/domain.ts";
import { findProposals } from "./pushed.store.ts";

export interface PushAdviceDeps {
  db: Database;
  addresses: Pick<Addresses, "webUrl">;
  upstreams: Pick<Upstreams, "see">;
}

const heads = "refs/heads/";

/** Nothing for a job, or of a merge request that the pusher may not see. */
export async function adviseOnBranches(
  { db, addresses: { webUrl }, upstreams }: PushAdviceDeps,
  push: RecordedPush,
  pusher: Actor,
): Promise<string[]> {
  if (push.jobId !== null) return [];
  const there = push.updates.filter(({ ref, after }) => ref.startsWith(heads) && after !== zeroId);
  if (there.length === 0) return [];
  const branches = there.map(({ ref }) => ref.slice(heads.length));
  const lines: string[] = [];
  for (const found of await findProposals(db, push.repositoryId, branches)) {
    const elsewhere = found.target_id ?? found.upstream_id ?? push.repositoryId;
    const isHere = elsewhere === push.repositoryId;
    const seen = isHere ? undefined : (await upstreams.see(elsewhere, pusher))?.repository;
    const { branch, full_name: here, number } = found;
    const address = `${webUrl}/${seen ? `${seen.owner}/${seen.name}` : here}/merge-requests`;
    if (number === null) {
      const query = new URLSearchParams({ source: branch, ...(seen ? { source_repo: here } : {}) });
      lines.push(`Create a merge request for ${branch}:`, `  ${address}/new?${query.toString()}`);
    } else if (isHere || seen) {
      lines.push(`Merge request of ${branch}:`, `  ${address}/${number}`);
    }
  }
  return lines;
}
