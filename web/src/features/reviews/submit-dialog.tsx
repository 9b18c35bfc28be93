/** Submits a review: what it says on the whole, and the verdict. */
import { useState } from "react";
import { text } from "../../text/reviews.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, FieldGroup } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useTextPlace } from "../work-items/use-text-place.ts";
import type { Review, ReviewEvent } from "./review.ts";
import { useMayDecide, useReviewCalls } from "./use-reviews.ts";

const events: readonly ReviewEvent[] = ["comment", "approve", "request_changes"];

interface SubmitDialogProps {
  mergeRequest: MergeRequest;
  pending: Review | undefined;
  /** Chosen when it opens. */
  first: ReviewEvent;
  onClose: () => void;
}

export function SubmitDialog({ mergeRequest, pending, first, onClose }: SubmitDialogProps) {
  const calls = useReviewCalls();
  const place = useTextPlace();
  const mayDecide = useMayDecide(mergeRequest);
  const [event, setEvent] = useState<ReviewEvent>(mayDecide ? first : "comment");
  const [body, setBody] = useState(pending?.body ?? "");
  const draftKey = `${mergeRequest.id}/review`;
  // What was seen when it opened: the branch may move while somebody writes.
  const [seen] = useState(mergeRequest.head_sha);
  const comments = pending?.comments_count ?? 0;
  const said = { event, body, commit_sha: seen };
  const change = useChange(() => (pending ? calls.submit(pending.id, said) : calls.review(said)), {
    said: text.submitted,
    onDone: () => {
      forgetDraft(draftKey);
      onClose();
    },
  });
  const saysNothing = event === "comment" && comments === 0 && body.trim() === "";
  return (
    <Dialog open wide onClose={onClose} title={text.submitTitle} lead={text.submitLead(comments)}>
      <Form
        submit={text.submit}
        state={change}
        disabled={saysNothing}
        onSubmit={() => {
          if (!saysNothing) change.mutate(undefined);
        }}
        onCancel={onClose}
      >
        <MarkdownField label={text.body} value={body} onChange={setBody} {...{ place, draftKey }} rows={5} />
        {mayDecide ? (
          <FieldGroup legend={text.verdict}>
            {events.map((each) => (
              <CheckField
                key={each}
                type="radio"
                name="event"
                value={each}
                label={text.events[each]}
                hint={text.eventHints[each]}
                checked={each === event}
                onChange={() => setEvent(each)}
              />
            ))}
          </FieldGroup>
        ) : (
          <Notice>{mergeRequest.state === "open" ? text.ownHint : text.endedHint}</Notice>
        )}
        {saysNothing ? <p>{text.needsWords}</p> : null}
      </Form>
    </Dialog>
  );
}
