/** Dismisses a review, with the reason that everybody sees. */
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/reviews.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useShownReview } from "./review-context.ts";

interface DismissDialogProps {
  id: string;
  /** The reader's own review. */
  isOwn: boolean;
  onClose: () => void;
}

export function DismissDialog({ id, isOwn, onClose }: DismissDialogProps) {
  const { calls } = useShownReview();
  const change = useChange((reason: string) => calls.dismiss(id, reason), {
    said: text.dismissedNow,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.dismissTitle}
      confirm={isOwn ? text.withdraw : text.dismiss}
      state={change}
      onConfirm={({ reason = "" }) => change.mutate(reason)}
    >
      <p>{text.dismissHint}</p>
      <TextField
        name="reason"
        label={text.reason}
        maxLength={1_000}
        required
        autoComplete="off"
        problem={fieldProblems(change.error)["reason"]}
      />
    </ConfirmDialog>
  );
}
