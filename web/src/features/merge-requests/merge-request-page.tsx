/** One merge request: what it is for, what was said and done about it, and the way to merge it. */
import { useState } from "react";
import { withQuote } from "../work-items/quote.ts";
import { CommentForm, NoCommenting } from "../work-items/comment-form.tsx";
import { ReviewedConversation } from "../reviews/reviewed-conversation.tsx";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { Description } from "./description.tsx";
import { MergeBox } from "./merge-box.tsx";
import { MergeRequestFrame } from "./merge-request-frame.tsx";
import { MergeRequestSide } from "./merge-request-side.tsx";
import { useMergeRequestCalls } from "./use-merge-request-calls.ts";
import type { MergeRequest } from "./merge-request.ts";

export function MergeRequestPage() {
  return <MergeRequestFrame>{(found) => <Shown key={found.id} mergeRequest={found} />}</MergeRequestFrame>;
}

function Shown({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const calls = useMergeRequestCalls();
  const [comment, setComment] = useState("");
  const { locked, viewer_may: may } = mergeRequest;
  const place = useTextPlace();
  const quote = (body: string) => setComment((typed) => withQuote(typed, body));
  return (
    <TwoColumns side={<MergeRequestSide mergeRequest={mergeRequest} />}>
      <Description {...{ mergeRequest, calls, place }} />
      <ReviewedConversation {...{ mergeRequest, calls, place }} onQuote={may.comment ? quote : undefined} />
      <MergeBox mergeRequest={mergeRequest} />
      {may.comment ? (
        <CommentForm {...{ calls, place }} value={comment} onChange={setComment} />
      ) : (
        <NoCommenting locked={locked} />
      )}
    </TwoColumns>
  );
}
