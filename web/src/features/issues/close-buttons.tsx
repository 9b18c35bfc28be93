/** Closes an issue with a reason, or opens it again; what was typed as a comment is sent with it. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/issues.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { IssueIcon } from "../work-items/state-badge.tsx";
import { DuplicateDialog } from "./duplicate-dialog.tsx";
import type { IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

export interface CloseButtonsProps {
  issue: Issue;
  calls: IssueCalls;
  /** What was typed; empty: nothing. */
  comment: string;
  /** It was sent. */
  onCommented: () => void;
}

type Reason = keyof typeof text.reasons;
const reasons = Object.keys(text.reasons) as Reason[];

export function CloseButtons(props: CloseButtonsProps) {
  const { state } = props.issue;
  const close = useStateChange(props);
  const [isNaming, setNaming] = useState(false);
  const hasComment = props.comment.trim() !== "";
  const icon = <IssueIcon issue={{ state: state === "open" ? "closed" : "open", state_reason: null }} />;
  if (state === "closed")
    return (
      <Button icon={icon} busy={close.isPending} onClick={() => close.start(null)}>
        {hasComment ? text.reopenWithComment : text.reopenIssue}
      </Button>
    );
  return (
    <>
      <Button icon={icon} busy={close.isPending} onClick={() => close.start("completed")}>
        {hasComment ? text.closeWithComment : text.closeIssue}
      </Button>
      <Menu
        label={text.closeAs}
        trigger={
          <IconButton label={text.closeAs}>
            <ChevronDown aria-hidden />
          </IconButton>
        }
        items={reasons.map((reason) => ({
          kind: "action" as const,
          label: text.reasons[reason],
          onSelect: () => (reason === "duplicate" ? setNaming(true) : close.start(reason)),
        }))}
      />
      {isNaming ? (
        <DuplicateDialog
          state={close}
          onSubmit={(duplicateOf) => close.startDuplicate(duplicateOf, () => setNaming(false))}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  );
}

/** Null opens it again. */
function useStateChange({ issue, calls, comment, onCommented }: CloseButtonsProps) {
  const change = useChange(
    async (body: Schemas["IssueUpdate"]) => {
      if (comment.trim() !== "") {
        await calls.comment(comment);
        onCommented();
      }
      await calls.change(body);
    },
    { said: issue.state === "open" ? text.issueClosed : text.issueReopened },
  );
  const start = (reason: Reason | null) =>
    change.mutate(reason === null ? { state: "open" } : { state: "closed", state_reason: reason }, {
      onError: showProblem,
    });
  const startDuplicate = (duplicateOf: number | string | undefined, onSuccess: () => void) => {
    const body = { state: "closed", state_reason: "duplicate" } as const;
    change.mutate(duplicateOf === undefined ? body : { ...body, duplicate_of: duplicateOf }, { onSuccess });
  };
  const { isPending, error } = change;
  return { isPending, error, start, startDuplicate };
}
