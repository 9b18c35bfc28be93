/** Who brought the head of a merge request where no push that it has followed says so: before it was opened, or while it was closed. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Bringers } from "../../hosting/domain.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { placeActor } from "./changes.ts";
import { readBranches } from "./merge-requests.store.ts";

export interface Head {
  /** The repository with the source branch; null: it is gone. */
  sourceId: string | null;
  source: string;
  sha: string;
}

export interface HeadBringers {
  /** Null: a job, or nobody that is recorded so far. */
  find(db: Queryable, head: Head): Promise<string | null>;
  /**
   * One that is reopened: where its head is another one than before, the timeline says who pushed it, and who that is comes back. To be
   * called before the new head is written.
   */
  catchUp(tx: Transaction, item: Place["item"], head: Head): Promise<string | null | undefined>;
}

export function createHeadBringers(deps: {
  bringers: Bringers;
  workItems: Pick<WorkItems, "record">;
}): HeadBringers {
  async function find(db: Queryable, { sourceId, source, sha }: Head): Promise<string | null> {
    if (sourceId === null) return null;
    return (
      (await deps.bringers.find(db, { repositoryId: sourceId, ref: `refs/heads/${source}`, sha })) ?? null
    );
  }

  return {
    find,
    async catchUp(tx, item, head) {
      const { head_sha: from } = await readBranches(tx, item.id);
      if (from === head.sha) return undefined;
      const bringerId = await find(tx, head);
      const place = { item, actor: placeActor(bringerId) };
      await deps.workItems.record(tx, place, [{ kind: "pushed", details: { from, to: head.sha } }]);
      return bringerId;
    },
  };
}
