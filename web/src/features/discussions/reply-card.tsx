/** A reply, with what its reader may do with it. */
import { useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/discussions.ts";
import { text as items } from "../../text/work-items.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useChange } from "../../ui/use-change.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { replyReactions } from "../reactions/reaction-calls.ts";
import { EditText } from "../work-items/edit-text.tsx";
import { TextActions } from "../work-items/text-actions.tsx";
import { TextCard } from "../work-items/text-card.tsx";
import { TickableText } from "../work-items/tickable-text.tsx";
import { one, textPlace, useBoard, type Discussion, type Reply } from "./board.ts";

const address = `${one}/replies/{id}` as const;

export interface ReplyCardProps {
  discussion: Discussion;
  reply: Reply;
  isTarget: boolean;
}

export function ReplyCard({ discussion, reply, isTarget }: ReplyCardProps) {
  const { id, author, body } = reply;
  const board = useBoard();
  const params = { path: { ...board, number: discussion.number, id } };
  const [isEditing, setEditing] = useState(false);
  const texts = {
    body,
    place: textPlace(board),
    newest: async () => (await api.GET(address, { params })).data?.body ?? "",
    save: (newBody: string, previous: string) =>
      api.PATCH(address, { params, body: { body: newBody, previous_body: previous } }),
  };
  return (
    <TextCard
      id={id}
      author={author}
      verb={text.replied}
      at={reply.created_at}
      editedAt={reply.edited_at}
      isItemAuthor={author !== null && author.id === discussion.author?.id}
      isTarget={isTarget}
      foot={
        <ReactionBar
          reactions={reply.reactions}
          mayReact={discussion.viewer_may.reply}
          calls={replyReactions(params.path)}
        />
      }
      actions={
        <TextActions
          label={text.actionsOf(author?.username ?? items.deletedAccount)}
          link={reply.web_url}
          may={reply.viewer_may}
          onEdit={() => setEditing(true)}
          deleteDialog={(onClose) => <DeleteDialog {...{ params, onClose }} />}
        />
      }
    >
      {isEditing ? (
        <EditText
          label={text.editReply}
          {...texts}
          draftKey={id}
          required
          said={text.replySaved}
          onClose={() => setEditing(false)}
        />
      ) : (
        <TickableText {...texts} mayEdit={reply.viewer_may.edit} />
      )}
    </TextCard>
  );
}

interface DeleteProps {
  params: { path: { org: string; team: string; number: number; id: string } };
  onClose: () => void;
}

function DeleteDialog({ params, onClose }: DeleteProps) {
  const change = useChange(() => api.DELETE(address, { params }), {
    said: text.replyDeleted,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.deleteReply}
      confirm={text.delete}
      state={change}
      onConfirm={() => change.mutate(undefined)}
    >
      {text.deleteReplyHint}
    </ConfirmDialog>
  );
}
