/** The field by which users confirm that it is really them. */
import { text } from "../../text/settings.ts";
import { TextField } from "../../ui/field.tsx";

export function PasswordProof({ problem, autoFocus }: { problem?: string | undefined; autoFocus?: boolean }) {
  return (
    <TextField
      name="password"
      type="password"
      label={text.yourPassword}
      hint={text.yourPasswordHint}
      problem={problem}
      autoComplete="current-password"
      required
      autoFocus={autoFocus}
    />
  );
}
