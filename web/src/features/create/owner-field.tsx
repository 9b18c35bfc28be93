/** Whose a new repository will be. */
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/create.ts";
import { SelectField } from "../../ui/field.tsx";
import type { PossibleOwner } from "./use-owners.ts";

export function OwnerField(props: {
  owners: readonly PossibleOwner[];
  value: string;
  onChange: (name: string) => void;
  problem: string | undefined;
}) {
  const { user } = useSignedIn();
  return (
    <SelectField
      name="owner"
      label={text.owner}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      problem={props.problem}
    >
      {props.owners.map(({ name }) => (
        <option key={name} value={name}>
          {name === user.username ? text.you(name) : name}
        </option>
      ))}
    </SelectField>
  );
}
