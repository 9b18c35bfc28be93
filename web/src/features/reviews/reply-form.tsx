/** The field for a reply, which opens when somebody wants to write one. */
import { text } from "../../text/reviews.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { InsertSuggestion } from "./insert-suggestion.tsx";
import { rangeOf } from "./line-range.ts";
import { useFocus } from "./new-thread-form.tsx";
import { useShownReview } from "./review-context.ts";
import type { Thread } from "./review.ts";

interface ReplyFormProps {
  thread: Thread;
  /** A function that stays the same. */
  onChange: (value: string) => void;
  value: string;
  onClose: () => void;
}

export function ReplyForm({ thread, value, onChange, onClose }: ReplyFormProps) {
  const { calls, isPending } = useShownReview();
  const place = useTextPlace();
  const close = () => {
    onChange("");
    forgetDraft(thread.id);
    onClose();
  };
  const change = useChange((pending: boolean) => calls.reply(thread.id, value, pending), { onDone: close });
  // Of a thread that only its author sees, everything waits.
  const waits = thread.pending;
  const range = rangeOf(thread);
  const isEmpty = value.trim() === "";
  const send = (pending: boolean) => {
    if (!isEmpty && !change.isPending) change.mutate(pending);
  };
  const other = isPending ? text.addToReview : text.startReview;
  return (
    <div ref={useFocus()}>
      <Form
        submit={waits ? text.addToReview : text.replyNow}
        state={change}
        disabled={isEmpty}
        onSubmit={() => send(waits)}
        onCancel={close}
        aside={
          waits ? null : (
            <Button disabled={isEmpty} onClick={() => send(true)}>
              {other}
            </Button>
          )
        }
      >
        <MarkdownField
          label={text.reply}
          draftKey={thread.id}
          rows={3}
          {...{ value, onChange, place }}
          tools={
            range?.side === "R" && thread.current ? (
              <InsertSuggestion {...{ range, sha: thread.current.commit_sha, value, onChange }} />
            ) : null
          }
        />
      </Form>
    </div>
  );
}
