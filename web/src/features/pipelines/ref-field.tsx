/** A field for a branch, a tag or a commit, which knows the first of the repository's branches and tags. */
import { useId, useState } from "react";
import { $api } from "../../api/client.ts";
import { TextField } from "../../ui/field.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export interface RefFieldProps {
  label: string;
  name: string;
  defaultValue: string;
  problem?: string | undefined;
  /** Once the field is left, or Enter is pressed. */
  onChosen: (ref: string) => void;
  branchesOnly?: boolean;
}

export function RefField({
  label,
  name,
  defaultValue,
  problem,
  onChosen,
  branchesOnly = false,
}: RefFieldProps) {
  const list = useId();
  const [isWanted, setWanted] = useState(false);
  const init = { params: { path: useRepositoryPath(), query: { per_page: 100 } } };
  const branches = $api.useQuery("get", "/repos/{owner}/{repo}/branches", init, { enabled: isWanted });
  const tags = $api.useQuery("get", "/repos/{owner}/{repo}/tags", init, {
    enabled: isWanted && !branchesOnly,
  });
  const names = [...(branches.data ?? []), ...(branchesOnly ? [] : (tags.data ?? []))].map((ref) => ref.name);
  return (
    <>
      <TextField
        label={label}
        name={name}
        defaultValue={defaultValue}
        problem={problem}
        list={list}
        required
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onFocus={() => setWanted(true)}
        onBlur={(event) => onChosen(event.target.value.trim())}
        onChange={(event) => {
          // A choice out of the list is one at once.
          if (names.includes(event.target.value)) onChosen(event.target.value);
        }}
      />
      <datalist id={list}>
        {names.map((known) => (
          <option key={known} value={known}>
            {known}
          </option>
        ))}
      </datalist>
    </>
  );
}
