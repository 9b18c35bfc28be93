/** Asks where the copy of a repository is to be, and goes there. */
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/create.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NameField } from "./name-field.tsx";
import { OwnerField } from "./owner-field.tsx";
import { usePossibleOwners } from "./use-owners.ts";

export function ForkDialog(props: { repository: Schemas["Repository"]; onClose: () => void }) {
  const { repository, onClose } = props;
  const navigate = useNavigate();
  const { owner, name, full_name } = repository;
  const fork = useChange(
    async (values: FormValues) => {
      const body = { owner: values["owner"] ?? "", name: values["name"] ?? "" };
      const path = { owner: owner.name, repo: name };
      return (await api.POST("/repos/{owner}/{repo}/forks", { params: { path }, body })).data;
    },
    {
      onDone: (made) => {
        onClose();
        return made && navigate(`/${made.full_name}`);
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={text.forkTitle(full_name)} lead={text.forkLead}>
      <Form submit={text.fork} state={fork} onSubmit={fork.mutate} onCancel={onClose}>
        <ForkFields name={name} upstreamOwner={owner.name} problems={fieldProblems(fork.error)} />
      </Form>
    </Dialog>
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
