/** Where the commit of the editor goes: to the branch itself, or to a new one that is then proposed. */
import { $api } from "../../api/client.ts";
import { text } from "../../text/contents.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export interface CommitTargetProps {
  branch: string;
  /** Of the new branch; undefined: it goes to `branch`. */
  value: string | undefined;
  suggestion: string;
  onChange: (value: string | undefined) => void;
  problem: string | undefined;
}

export function CommitTarget({ branch, value, suggestion, onChange, problem }: CommitTargetProps) {
  const found = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/branches",
    { params: { path: useRepositoryPath(), query: { name: branch } } },
    { staleTime: 30_000 },
  );
  // In an empty repository no other branch can begin anywhere.
  if (!found.data || found.data.length === 0) return null;
  return (
    <FieldGroup legend={text.target}>
      <CheckField
        type="radio"
        name="target"
        label={text.toBranch(branch)}
        checked={value === undefined}
        onChange={() => onChange(undefined)}
      />
      <CheckField
        type="radio"
        name="target"
        label={text.toNewBranch}
        hint={text.toNewBranchHint}
        checked={value !== undefined}
        onChange={() => onChange(suggestion)}
      />
      {value === undefined ? null : (
        <TextField
          name="new_branch"
          label={text.newBranch}
          required
          maxLength={1000}
          value={value}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          problem={problem}
        />
      )}
    </FieldGroup>
  );
}
