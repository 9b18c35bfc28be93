/** A field for the name of a user, a bot or another thing that exists already: nothing completes or corrects it. */
import type { ComponentProps } from "react";
import { TextField } from "./field.tsx";

export function NameInput(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      required
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
      maxLength={201}
      {...props}
    />
  );
}
