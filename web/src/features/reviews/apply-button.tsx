/** Applies suggestions, in one commit on the source branch. */
import { text } from "../../text/reviews.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Chosen } from "./batch-store.ts";
import { useShownReview } from "./review-context.ts";

interface ApplyButtonProps {
  suggestions: readonly Chosen[];
  label: string;
  onDone?: () => void;
}

export function ApplyButton({ suggestions, label, onDone }: ApplyButtonProps) {
  const { calls, mergeRequest } = useShownReview();
  return (
    <FormButton
      label={label}
      title={text.applyTitle(suggestions.length)}
      lead={text.applyLead(mergeRequest.source_branch)}
      submit={text.applyNow}
      said={text.appliedNow(suggestions.length)}
      run={({ message = "" }) => calls.applySuggestions(suggestions, message.trim())}
      onDone={onDone}
    >
      {(problems) => (
        <TextField
          name="message"
          label={text.applyMessage}
          hint={text.applyMessageHint}
          autoComplete="off"
          problem={problems["message"]}
        />
      )}
    </FormButton>
  );
}
