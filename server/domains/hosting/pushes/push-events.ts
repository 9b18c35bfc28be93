/** Records what a push moved as events, in the transaction that records the push. */
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { recordRepositoryEvents, type NewEvent } from "../repositories/repository-events.ts";
import type { PushFollower, RecordedPush } from "./push.ts";

export const pushEvents: PushFollower = {
  prepare: (push) =>
    Promise.resolve(async (tx) => {
      const place = { repositoryId: push.repositoryId, senderId: push.userId };
      await recordRepositoryEvents(tx, place, push.updates.flatMap(eventOf(push)));
      return [];
    }),
};

/** One for each branch and tag; other refs are ours. */
function eventOf(push: RecordedPush): (update: RefUpdate) => NewEvent[] {
  return ({ ref, before, after }) => {
    const kind = ref.startsWith("refs/heads/") ? "push" : "tag";
    if (kind === "tag" && !ref.startsWith("refs/tags/")) return [];
    const action = after === zeroId ? "deleted" : before === zeroId ? "created" : "updated";
    return [{ kind, action, subject: { push_id: push.id, ref, before, after, job: push.jobId } }];
  };
}
