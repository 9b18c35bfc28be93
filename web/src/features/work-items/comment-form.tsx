/** The field for a new comment below a conversation, or why there is none. */
import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/work-items.ts";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import { useTyped, type NewComment } from "./new-comment.ts";
import type { WorkItemCalls } from "./work-item.ts";

export interface CommentFormProps {
  calls: WorkItemCalls;
  place: MarkdownPlace;
  typed: NewComment;
  /** Beside the button that comments. */
  aside?: (comment: string) => ReactNode;
}

export function CommentForm({ calls, place, typed, aside }: CommentFormProps) {
  const value = useTyped(typed);
  const comment = usePostComment(calls, () => typed.write(""));
  return (
    <Form
      submit={text.comment}
      state={comment}
      disabled={value.trim() === ""}
      onSubmit={() => {
        if (value.trim() !== "") comment.mutate(value);
      }}
      aside={aside?.(value)}
    >
      <MarkdownField
        label={text.addComment}
        value={value}
        onChange={typed.write}
        place={place}
        draftKey={calls.key.join("/")}
        rows={5}
      />
    </Form>
  );
}

/** Afterwards the address leads to the new comment, so that the page goes there even if others stand before it. */
export function usePostComment(calls: WorkItemCalls, onDone: () => void) {
  const navigate = useNavigate();
  return useChange(async (body: string) => (await calls.comment(body)).data, {
    onDone: async (comment) => {
      onDone();
      if (comment) await navigate({ hash: comment.id }, { replace: true, preventScrollReset: true });
    },
  });
}

/** For those who may not comment. An archived repository says so above. */
export function NoCommenting({ locked }: { locked: boolean }) {
  const session = useSession();
  const { pathname } = useLocation();
  if (!session)
    return (
      <Notice>
        <Link to={`/login?next=${encodeURIComponent(pathname)}`} data-inline>
          {text.signInToComment}
        </Link>
      </Notice>
    );
  return locked ? <Notice>{text.lockedForOthers}</Notice> : null;
}
