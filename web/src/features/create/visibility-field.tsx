/** Who can see a repository: a choice that explains each option. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/create.ts";
import { CheckField, FieldGroup } from "../../ui/field.tsx";

type Visibility = Schemas["Visibility"];

/** `value` is what it begins with; the form has what was chosen as `visibility`. */
export function VisibilityField({ withInternal, value }: { withInternal: boolean; value: Visibility }) {
  const [chosen, setChosen] = useState(value);
  const choices: Visibility[] = withInternal ? ["private", "internal", "public"] : ["private", "public"];
  return (
    <FieldGroup legend={text.visibility}>
      {choices.map((choice) => (
        <CheckField
          key={choice}
          type="radio"
          name="visibility"
          value={choice}
          checked={chosen === choice}
          onChange={() => setChosen(choice)}
          {...text.visibilities[choice]}
        />
      ))}
    </FieldGroup>
  );
}
