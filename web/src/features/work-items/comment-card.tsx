/** A comment, with what its reader may do with it. */
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/work-items.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useChange } from "../../ui/use-change.ts";
import type { MarkdownPlace } from "../markdown/targets.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { commentReactions } from "../reactions/reaction-calls.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { EditText } from "./edit-text.tsx";
import { TextActions } from "./text-actions.tsx";
import { TextCard } from "./text-card.tsx";
import { TickableText } from "./tickable-text.tsx";
import type { Comment, Person } from "./work-item.ts";

export interface CommentCardProps {
  comment: Comment;
  place: MarkdownPlace;
  itemAuthor: Person | null;
  isTarget: boolean;
  /** Undefined for those who may not comment. */
  onQuote?: ((body: string) => void) | undefined;
  /** Within something that has a frame. */
  isFlat?: boolean;
}

export function CommentCard(props: CommentCardProps) {
  const { comment, place, itemAuthor, isTarget, onQuote, isFlat = false } = props;
  const { id, author, body } = comment;
  const path = { ...useRepositoryPath(), id };
  const [isEditing, setEditing] = useState(false);
  const address = "/repos/{owner}/{repo}/comments/{id}";
  const texts = {
    newest: async () => (await api.GET(address, { params: { path } })).data?.body ?? "",
    save: (newBody: string, previous: string) =>
      api.PATCH(address, { params: { path }, body: { body: newBody, previous_body: previous } }),
  };
  return (
    <TextCard
      id={id}
      author={author}
      imported={comment.imported_author}
      verb={text.commented}
      at={comment.created_at}
      editedAt={comment.edited_at}
      isItemAuthor={author !== null && author.id === itemAuthor?.id}
      isTarget={isTarget}
      isFlat={isFlat}
      foot={
        <ReactionBar
          reactions={comment.reactions}
          mayReact={comment.viewer_may.react}
          calls={commentReactions(path)}
        />
      }
      marks={comment.pending ? <Badge tone="info">{text.pending}</Badge> : null}
      actions={
        <TextActions
          label={text.actionsOf(author?.username ?? text.deletedAccount)}
          link={comment.web_url}
          may={comment.viewer_may}
          onEdit={() => setEditing(true)}
          onQuote={onQuote && (() => onQuote(body))}
          deleteDialog={(onClose) => <DeleteDialog {...{ id, onClose }} />}
        />
      }
    >
      {isEditing ? (
        <EditText
          label={text.editComment}
          {...{ body, place, ...texts }}
          draftKey={id}
          required
          said={text.commentSaved}
          onClose={() => setEditing(false)}
        />
      ) : (
        <TickableText {...{ body, place, ...texts }} mayEdit={comment.viewer_may.edit} />
      )}
    </TextCard>
  );
}

function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const path = { ...useRepositoryPath(), id };
  const { hash } = useLocation();
  const navigate = useNavigate();
  const change = useChange(() => api.DELETE("/repos/{owner}/{repo}/comments/{id}", { params: { path } }), {
    said: text.commentDeleted,
    onDone: async () => {
      onClose();
      if (hash === `#${id}`) await navigate({ hash: "" }, { replace: true, preventScrollReset: true });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.deleteComment}
      confirm={text.delete}
      state={change}
      onConfirm={() => change.mutate(undefined)}
    >
      {text.deleteCommentHint}
    </ConfirmDialog>
  );
}
