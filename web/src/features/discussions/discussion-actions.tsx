/** Pins, locks and deletes a discussion, for those who may. */
import { Lock, LockOpen, Pin, PinOff, Trash } from "lucide-react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/discussions.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { boardAddress, one, useBoard, type Discussion } from "./board.ts";
import { IssueButton } from "./issue-button.tsx";
import styles from "./discussions.module.css";

export function DiscussionActions({ discussion }: { discussion: Discussion }) {
  const { reply, moderate, delete: mayDelete } = discussion.viewer_may;
  if (!reply && !moderate && !mayDelete) return null;
  return (
    <div className={styles.actions}>
      {reply && discussion.issue === null ? <IssueButton discussion={discussion} /> : null}
      {moderate ? <PinButton discussion={discussion} /> : null}
      {moderate ? <LockButton discussion={discussion} /> : null}
      {mayDelete ? <DeleteButton discussion={discussion} /> : null}
    </div>
  );
}

function PinButton({ discussion: { number, pinned } }: { discussion: Discussion }) {
  const params = { path: { ...useBoard(), number } };
  const change = useAction(
    () => (pinned ? api.DELETE(`${one}/pin`, { params }) : api.PUT(`${one}/pin`, { params })),
    { said: pinned ? text.unpinnedNow : text.pinnedNow },
  );
  const icon = pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />;
  return (
    <Button kind="quiet" icon={icon} busy={change.isPending} onClick={change.start}>
      {pinned ? text.unpin : text.pin}
    </Button>
  );
}

function LockButton({ discussion: { number, locked } }: { discussion: Discussion }) {
  const params = { path: { ...useBoard(), number } };
  const change = useAction(
    () => (locked ? api.DELETE(`${one}/lock`, { params }) : api.PUT(`${one}/lock`, { params })),
    { said: locked ? text.unlockedNow : text.lockedNow },
  );
  const icon = locked ? <LockOpen aria-hidden /> : <Lock aria-hidden />;
  return (
    <Button kind="quiet" icon={icon} busy={change.isPending} onClick={change.start}>
      {locked ? text.unlock : text.lock}
    </Button>
  );
}

function DeleteButton({ discussion: { number } }: { discussion: Discussion }) {
  const board = useBoard();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      kind="quiet"
      icon={<Trash aria-hidden />}
      label={text.delete}
      title={text.deleteTitle(number)}
      said={text.deleted(number)}
      run={() => api.DELETE(one, { params: { path: { ...board, number } } })}
      onDone={() => navigate(boardAddress(board))}
      gone={() => [one, board.org, board.team, String(number)]}
    >
      {text.deleteHint}
    </ConfirmButton>
  );
}
