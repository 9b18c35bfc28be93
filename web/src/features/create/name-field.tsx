/** The name of a new repository or organization, as addresses have it. */
import type { InputHTMLAttributes } from "react";
import { text } from "../../text/create.ts";
import { TextField } from "../../ui/field.tsx";

export function NameField({
  problem,
  ...rest
}: { problem: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <TextField
      name="name"
      label={text.name}
      hint={text.nameHint}
      title={text.nameTitle}
      pattern="[A-Za-z0-9_][A-Za-z0-9._\-]*"
      maxLength={100}
      required
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      problem={problem}
      {...rest}
    />
  );
}
