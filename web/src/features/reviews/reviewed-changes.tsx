/** The changes of a merge request with their threads, and the means to review them. */
import { useEffect, useMemo, useState } from "react";
import { text } from "../../text/reviews.ts";
import { Notice } from "../../ui/notice.tsx";
import { ChangedFilesView } from "../diffs/changed-files-view.tsx";
import type { DiffSlots } from "../diffs/slots.ts";
import type { DiffSource } from "../diffs/source.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { createBatchStore } from "./batch-store.ts";
import { ReviewBar } from "./review-bar.tsx";
import { ReviewContext, StoreContext } from "./review-context.ts";
import { commentSlots, plainSlots, threadSlots } from "./review-slots.tsx";
import { createReviewStore } from "./review-store.ts";
import type { Thread } from "./review.ts";
import { useRememberLook, useShown, useShownSource, useSince, type Shown } from "./shown-changes.ts";
import { useCommentKey, useThreadWalk, useViewedKey } from "./use-review-keys.ts";
import { usePendingReview, useReviewCalls, useThreads } from "./use-reviews.ts";
import { ViewedCount } from "./viewed-count.tsx";

interface ReviewedChangesProps {
  mergeRequest: MergeRequest;
  /** All that it changes. */
  source: DiffSource;
}

export function ReviewedChanges({ mergeRequest, source: all }: ReviewedChangesProps) {
  const [store] = useState(createReviewStore);
  const [batch] = useState(createBatchStore);
  const calls = useReviewCalls();
  const [shown] = useShown();
  const source = useShownSource(shown, all, mergeRequest.head_sha);
  const { data: threads } = useThreads(mergeRequest);
  const pending = usePendingReview(mergeRequest);
  const isPending = pending !== undefined;
  const { kind } = shown;
  useEffect(() => {
    if (threads) store.setThreads(threadsIn(threads, kind));
  }, [store, threads, kind]);
  const context = useMemo(
    () => ({ mergeRequest, calls, isPending, batch, hasOldSide: kind === "all" }),
    [mergeRequest, calls, isPending, batch, kind],
  );
  useCommentKey(store, mergeRequest, sidesOf[kind]);
  useViewedKey();
  useRememberLook(mergeRequest);
  const go = useThreadWalk(threads);
  return (
    <ReviewContext value={context}>
      <StoreContext value={store}>
        <Inexact shown={shown} mergeRequest={mergeRequest} />
        <ChangedFilesView source={source} slots={slotsOf(kind, mergeRequest.viewer_may.comment)} />
      </StoreContext>
      <ReviewBar {...{ mergeRequest, pending, go }} threads={threads ?? []}>
        <ViewedCount {...{ mergeRequest, store }} />
      </ReviewBar>
    </ReviewContext>
  );
}

const sidesOf = { all: "both", since: "new", commit: "none" } as const;

/** Only those whose lines are those that are shown. */
function threadsIn(threads: readonly Thread[], kind: Shown["kind"]): readonly Thread[] {
  if (kind === "commit") return [];
  return kind === "all" ? threads : threads.filter(({ side }) => side === "new");
}

function slotsOf(kind: Shown["kind"], mayComment: boolean): DiffSlots {
  if (kind === "commit") return plainSlots;
  return mayComment ? commentSlots : threadSlots;
}

function Inexact({ shown, mergeRequest }: { shown: Shown; mergeRequest: MergeRequest }) {
  const isSince = shown.kind === "since";
  const { data } = useSince(isSince ? shown.sha : "last_look", mergeRequest, isSince);
  if (!isSince || !data || data.exact || data.status !== "changed") return null;
  return <Notice tone="warn">{text.inexact}</Notice>;
}
