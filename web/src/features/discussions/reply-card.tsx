/** A reply, with what its reader may do with it. */
import { Ellipsis, Link2, Pencil, Trash } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/discussions.ts";
import { text as items } from "../../text/work-items.ts";
import { IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { replyReactions } from "../reactions/reaction-calls.ts";
import { EditText } from "../work-items/edit-text.tsx";
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
      actions={<Actions {...{ reply, params }} onEdit={() => setEditing(true)} />}
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

interface ActionProps {
  reply: Reply;
  params: { path: { org: string; team: string; number: number; id: string } };
  onEdit: () => void;
}

function Actions({ reply, params, onEdit }: ActionProps) {
  const { author, web_url: link, viewer_may: may } = reply;
  const [isDeleting, setDeleting] = useState(false);
  const choices: MenuItem[] = [
    { kind: "action", label: items.copyLink, icon: <Link2 aria-hidden />, onSelect: () => void copy(link) },
  ];
  if (may.edit)
    choices.push({ kind: "action", label: items.edit, icon: <Pencil aria-hidden />, onSelect: onEdit });
  if (may.delete)
    choices.push({
      kind: "action",
      label: items.delete,
      icon: <Trash aria-hidden />,
      danger: true,
      onSelect: () => setDeleting(true),
    });
  const label = text.actionsOf(author?.username ?? items.deletedAccount);
  return (
    <>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
        items={choices}
      />
      {isDeleting ? <DeleteDialog params={params} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

function DeleteDialog({ params, onClose }: Pick<ActionProps, "params"> & { onClose: () => void }) {
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

async function copy(link: string): Promise<void> {
  await navigator.clipboard.writeText(link);
  showToast(items.linkCopied);
}
