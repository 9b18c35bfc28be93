import { text } from "../text/general.ts";
import { TextField } from "./field.tsx";

/** The field `password` of a form, for a password that is chosen now; what makes one good is the server's to judge. */
export function NewPasswordField(props: {
  label?: string;
  problem?: string | undefined;
  autoFocus?: boolean;
}) {
  return (
    <TextField
      label={text.newPassword}
      {...props}
      name="password"
      type="password"
      hint={text.newPasswordHint}
      autoComplete="new-password"
      minLength={10}
      required
    />
  );
}
