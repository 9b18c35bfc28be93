import { text } from "../../text/sign-in.ts";
import { TextField } from "../../ui/field.tsx";

/** The field `token` of a form, for the code of a mail. */
export function CodeField({ code, problem }: { code: string; problem: string | undefined }) {
  return (
    <TextField
      name="token"
      label={text.code}
      hint={text.codeHint}
      problem={problem}
      defaultValue={code}
      autoComplete="off"
      spellCheck={false}
      required
    />
  );
}
