/** Saves what the list shows under a name: for oneself, or for everybody who may read the repository. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/saved-filters.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

type Kind = Schemas["SavedFilter"]["kind"];

export interface SaveFilterProps {
  kind: Kind;
  /** `OWNER/NAME`; without it, for the search in all repositories. */
  repository?: string;
  query: string;
}

export function SaveFilter({ kind, repository, query }: SaveFilterProps) {
  const path = useRepositoryPath();
  const save = useChange(
    async ({ name, shared }: { name: string; shared: boolean }) => {
      if (shared)
        await api.POST("/repos/{owner}/{repo}/filters", { params: { path }, body: { name, kind, query } });
      else
        await api.POST("/user/filters", {
          body: { name, kind, query, ...(repository === undefined ? {} : { repository }) },
        });
    },
    { said: text.saved },
  );
  const problems = fieldProblems(save.error);
  return (
    <Form
      submit={text.save}
      state={save}
      onSubmit={(values) => save.mutate({ name: values["name"] ?? "", shared: "shared" in values })}
    >
      <TextField
        name="name"
        label={text.name}
        hint={<code>{query}</code>}
        required
        maxLength={100}
        autoComplete="off"
        problem={problems["name"]}
      />
      {repository === undefined ? null : <ShareBox />}
    </Form>
  );
}

function ShareBox() {
  return canWrite(useRepository()) ? <CheckField name="shared" label={text.share} /> : null;
}
