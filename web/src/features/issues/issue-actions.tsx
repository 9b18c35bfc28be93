/** Locks, pins and deletes an issue, for those who may. */
import { Lock, LockOpen, Pin, PinOff, Trash } from "lucide-react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/issues.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { TransferButton } from "./transfer-button.tsx";
import styles from "./issue-head.module.css";
import type { IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

const address = "/repos/{owner}/{repo}/issues/{number}";

export function IssueActions({ issue, calls }: { issue: Issue; calls: IssueCalls }) {
  const { triage, pin, delete: mayDelete } = issue.viewer_may;
  if (!triage && !pin && !mayDelete) return null;
  return (
    <div className={styles.actions}>
      {triage ? <LockButton issue={issue} /> : null}
      {pin ? <PinButton issue={issue} /> : null}
      {pin ? <TransferButton issue={issue} calls={calls} /> : null}
      {mayDelete ? <DeleteButton issue={issue} calls={calls} /> : null}
    </div>
  );
}

function LockButton({ issue: { number, locked } }: { issue: Issue }) {
  const params = { path: { ...useRepositoryPath(), number } };
  const change = useAction(
    () => (locked ? api.DELETE(`${address}/lock`, { params }) : api.PUT(`${address}/lock`, { params })),
    { said: locked ? text.unlocked : text.locked },
  );
  return (
    <Button
      kind="quiet"
      icon={locked ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
      busy={change.isPending}
      onClick={change.start}
    >
      {locked ? text.unlock : text.lock}
    </Button>
  );
}

function PinButton({ issue: { number, pinned } }: { issue: Issue }) {
  const params = { path: { ...useRepositoryPath(), number } };
  const change = useAction(
    () => (pinned ? api.DELETE(`${address}/pin`, { params }) : api.PUT(`${address}/pin`, { params })),
    { said: pinned ? text.unpinnedNow : text.pinnedNow },
  );
  return (
    <Button
      kind="quiet"
      icon={pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
      busy={change.isPending}
      onClick={change.start}
    >
      {pinned ? text.unpin : text.pin}
    </Button>
  );
}

function DeleteButton({ issue: { number }, calls }: { issue: Issue; calls: IssueCalls }) {
  const path = { ...useRepositoryPath(), number };
  const { full_name: fullName } = useRepository();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      kind="quiet"
      icon={<Trash aria-hidden />}
      label={text.delete}
      title={text.deleteTitle(number)}
      said={text.deleted(number)}
      run={() => api.DELETE(address, { params: { path } })}
      onDone={() => navigate(`/${fullName}/issues`)}
      gone={() => calls.key}
    >
      {text.deleteHint}
    </ConfirmButton>
  );
}
