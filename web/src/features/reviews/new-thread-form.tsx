/** The form for a comment on lines, or on a file as a whole. It waits in a review, or is seen by everybody at once. */
import { useEffect, useRef, useState } from "react";
import { text } from "../../text/reviews.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { InsertSuggestion } from "./insert-suggestion.tsx";
import { lastLineOf, placeOf, type LineRange } from "./line-range.ts";
import { useReviewStore, useShownReview } from "./review-context.ts";
import type { ThreadForm } from "./review-store.ts";
import styles from "./threads.module.css";

export function NewThreadForm({ path, form: { range, seen } }: { path: string; form: ThreadForm }) {
  const { mergeRequest, calls, isPending } = useShownReview();
  const store = useReviewStore();
  const place = useTextPlace();
  const [body, setBody] = useState("");
  const draftKey = `${mergeRequest.id}/${path}:${range ? lastLineOf(range) : ""}`;
  const close = () => {
    forgetDraft(draftKey);
    store.closeForm(path);
  };
  const change = useChange(
    (pending: boolean) =>
      calls.begin({ ...(range ? placeOf(range) : { path, side: "new" }), commit_sha: seen }, body, pending),
    { onDone: close },
  );
  const isEmpty = body.trim() === "";
  const send = (pending: boolean) => {
    if (!isEmpty && !change.isPending) change.mutate(pending);
  };
  return (
    <div className={styles.form} ref={useFocus()}>
      <Form
        submit={isPending ? text.addToReview : text.startReview}
        state={change}
        disabled={isEmpty}
        onSubmit={() => send(true)}
        onCancel={close}
        aside={
          <Button disabled={isEmpty} onClick={() => send(false)}>
            {text.single}
          </Button>
        }
      >
        <MarkdownField
          label={labelOf(path, range)}
          value={body}
          onChange={setBody}
          {...{ place, draftKey }}
          rows={3}
          tools={
            range?.side === "R" ? (
              <InsertSuggestion {...{ range, sha: seen, value: body, onChange: setBody }} />
            ) : null
          }
        />
      </Form>
    </div>
  );
}

function labelOf(path: string, range: LineRange | null): string {
  return range ? text.commentOn(range.start, range.end, range.side === "L") : text.commentOnFile(path);
}

/** Whoever opened a form wants to write. */
export function useFocus() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  return ref;
}
