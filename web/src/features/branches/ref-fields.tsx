/** Fields for a new branch or tag: what it is called, and where it begins. */
import { $api } from "../../api/client.ts";
import { text } from "../../text/branches.ts";
import { TextField } from "../../ui/field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

export function RefFields({ problems }: { problems: Record<string, string> }) {
  const { default_branch } = useRepository();
  return (
    <>
      <TextField
        name="name"
        label={text.name}
        required
        maxLength={1000}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        problem={problems["name"]}
      />
      <RefField
        name="ref"
        label={text.beginsAt}
        hint={text.beginsAtHint}
        defaultValue={default_branch}
        problem={problems["ref"]}
      />
    </>
  );
}

export interface RefFieldProps {
  name: string;
  label: string;
  hint?: string;
  defaultValue: string;
  problem?: string | undefined;
  /** Full name of the repository whose branches are offered; that of the page where it is not given. */
  of?: string;
}

const offered = 100;

/** The first branches by name; of few repositories not all. `of` names another repository than that of the page. */
export function useOfferedBranches(of?: string) {
  const here = useRepositoryPath();
  const [owner = "", repo = ""] = of?.split("/") ?? [];
  return $api.useQuery("get", "/repos/{owner}/{repo}/branches", {
    params: { path: of === undefined ? here : { owner, repo }, query: { per_page: offered } },
  });
}

/** A branch, tag or commit; the branches are offered. */
export function RefField({ of, ...props }: RefFieldProps) {
  const branches = useOfferedBranches(of);
  const list = `branches-for-${props.name}`;
  return (
    <>
      <TextField {...props} required list={list} autoComplete="off" autoCapitalize="off" spellCheck={false} />
      <datalist id={list}>
        {(branches.data ?? []).map((branch) => (
          <option key={branch.name}>{branch.name}</option>
        ))}
      </datalist>
    </>
  );
}
