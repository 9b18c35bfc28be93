/** To which branch a change goes: the one that is shown, or a new one, which is proposed afterwards. */
import { useState, type ReactNode } from "react";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/contents.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export interface CommitTarget {
  branch: string;
  isNew: boolean;
  /** Undefined where there is no choice: the branch does not exist yet. */
  fields: ReactNode;
  /** Makes the new branch, unless it has; `onReady` is called when the change can go there. */
  prepare: (onReady: () => void) => void;
  state: { isPending: boolean; error: unknown };
}

export function useCommitTarget(from: string): CommitTarget {
  const place = useRepositoryPath();
  const params = { path: { ...place, branch: from } };
  const found = $api.useQuery("get", "/repos/{owner}/{repo}/branches/{branch}", { params }, { retry: false });
  const [chosen, setChosen] = useState<boolean>();
  const [name, setName] = useSuggestedName();
  const [made, setMade] = useState<string>();
  const make = useChange(
    (branch: string) =>
      api.POST("/repos/{owner}/{repo}/branches", {
        params: { path: place },
        body: { name: branch, ref: `refs/heads/${from}` },
      }),
    { onDone: () => setMade(name) },
  );
  const isNew = found.data !== undefined && (chosen ?? found.data.protected);
  return {
    branch: isNew ? name : from,
    isNew,
    fields: found.data ? (
      <FieldGroup legend={text.target}>
        <Choice label={text.toBranch(from)} checked={!isNew} onChoose={() => setChosen(false)} />
        <Choice label={text.toNewBranch} checked={isNew} onChoose={() => setChosen(true)} />
        {isNew ? (
          <NameField value={name} onChange={setName} problem={fieldProblems(make.error)["name"]} />
        ) : null}
      </FieldGroup>
    ) : undefined,
    prepare: (onReady) => {
      if (isNew && made !== name) make.mutate(name, { onSuccess: onReady });
      else onReady();
    },
    state: { isPending: make.isPending, error: isNew ? make.error : null },
  };
}

/** Long enough to be free; whoever writes another one does so. */
function useSuggestedName() {
  const { user } = useSignedIn();
  return useState(() => `${user.username}-patch-${Math.random().toString(36).slice(2, 7)}`);
}

interface ChoiceProps {
  label: string;
  checked: boolean;
  onChoose: () => void;
}

function Choice({ label, checked, onChoose }: ChoiceProps) {
  return <CheckField type="radio" name="target" label={label} checked={checked} onChange={onChoose} />;
}

interface NameFieldProps {
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

function NameField({ value, onChange, problem }: NameFieldProps) {
  return (
    <TextField
      name="branch"
      label={text.newBranch}
      required
      maxLength={1000}
      value={value}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value.trim())}
      problem={problem}
    />
  );
}
