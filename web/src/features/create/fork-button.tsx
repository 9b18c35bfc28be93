/** Copies a repository to an owner of one's choice, and goes to the copy. */
import { GitFork } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/create.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { NameField } from "./name-field.tsx";
import { OwnerField } from "./owner-field.tsx";
import { usePossibleOwners } from "./use-owners.ts";

export function ForkButton({ repository }: { repository: Schemas["Repository"] }) {
  const navigate = useNavigate();
  const { owner, name, full_name } = repository;
  return (
    <FormButton
      label={text.fork}
      icon={<GitFork aria-hidden />}
      title={text.forkTitle(full_name)}
      lead={text.forkLead}
      run={async (values) => {
        const body = { owner: values["owner"] ?? "", name: values["name"] ?? "" };
        const path = { owner: owner.name, repo: name };
        return (await api.POST("/repos/{owner}/{repo}/forks", { params: { path }, body })).data;
      }}
      onDone={(fork) => fork && navigate(`/${fork.full_name}`)}
    >
      {(problems) => <ForkFields name={name} upstreamOwner={owner.name} problems={problems} />}
    </FormButton>
  );
}

function ForkFields(props: { name: string; upstreamOwner: string; problems: Record<string, string> }) {
  const owners = usePossibleOwners();
  // One's own repository is likelier forked to an organization: under its own owner its name is taken.
  const likely = owners.find(({ name }) => name !== props.upstreamOwner) ?? owners[0];
  const [chosen, setChosen] = useState<string>();
  return (
    <>
      <OwnerField
        owners={owners}
        value={chosen ?? likely?.name ?? ""}
        onChange={setChosen}
        problem={props.problems["owner"]}
      />
      <NameField defaultValue={props.name} problem={props.problems["name"]} />
    </>
  );
}
