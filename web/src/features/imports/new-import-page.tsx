/** Begins an import, and goes to it. */
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { importKinds, importSources } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { uploadImportArchive } from "../../api/upload-file.ts";
import { fieldProblems } from "../../api/problem.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/imports.ts";
import { CheckField, FieldGroup, SelectField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { OwnerField } from "../create/owner-field.tsx";
import { usePossibleOwners } from "../create/use-owners.ts";
import { VisibilityField } from "../create/visibility-field.tsx";
import { PeopleProblem, peopleOf } from "./people-of.ts";
import { SourceFields } from "./source-fields.tsx";

export function NewImportPage() {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(user.username);
  const owners = usePossibleOwners();
  const owner = owners.find(({ name }) => name === chosen) ?? owners[0];
  const [archive, setArchive] = useState<File>();
  // So that one is not sent again for a problem of another field.
  const uploaded = useRef<{ file: File; id: string }>(undefined);
  const [progress, setProgress] = useState<number>();
  const begin = useChange(
    async (values: FormValues) => {
      const body = importOf(values);
      if (archive && uploaded.current?.file !== archive)
        uploaded.current = { file: archive, id: (await uploadImportArchive(archive, setProgress)).id };
      const wanted = archive && uploaded.current ? { ...body, archive: uploaded.current.id } : body;
      return (await api.POST("/imports", { body: wanted })).data;
    },
    { onDone: (begun) => begun && navigate(`/-/imports/${begun.id}`) },
  );
  const problems = problemsOf(begin.error);
  return (
    <Page title={text.begin} lead={text.beginLead}>
      <p>
        <a href="/docs/imports">{text.docs}</a>
      </p>
      <Form submit={text.begin} state={begin} onSubmit={begin.mutate}>
        <SelectField name="source" label={text.source} problem={problems["source"]}>
          {importSources.map((source) => (
            <option key={source} value={source}>
              {text.sources[source]}
            </option>
          ))}
        </SelectField>
        <SourceFields
          problems={problems}
          hasArchive={archive !== undefined}
          onArchive={setArchive}
          progress={begin.isPending ? progress : undefined}
        />
        <OwnerField
          owners={owners}
          value={owner?.name ?? ""}
          onChange={setChosen}
          problem={problems["owner"]}
        />
        <VisibilityField
          key={String(owner?.isOrganization)}
          withInternal={owner?.isOrganization ?? false}
          value="private"
        />
        <FieldGroup legend={text.include}>
          {importKinds.map((kind) => (
            <CheckField key={kind} name={`include.${kind}`} label={text.kinds[kind]} defaultChecked />
          ))}
        </FieldGroup>
      </Form>
    </Page>
  );
}

function problemsOf(error: unknown): Record<string, string> {
  if (error instanceof PeopleProblem) return { users: text.wrongPeople(error.line) };
  return fieldProblems(error);
}

/** Throws `PeopleProblem`. */
function importOf(values: FormValues): Schemas["ImportCreate"] {
  const given = (name: string) => (values[name] ?? "").trim();
  const optional = { api_url: given("api_url"), token: given("token"), name: given("name") };
  return {
    source: given("source") as Schemas["ImportCreate"]["source"],
    repository: given("repository"),
    owner: given("owner"),
    visibility: (values["visibility"] ?? "private") as Schemas["Visibility"],
    include: importKinds.filter((kind) => values[`include.${kind}`] !== undefined),
    users: peopleOf(values["users"] ?? ""),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== "")),
  };
}
