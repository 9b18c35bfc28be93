/** Title, description and whether it is a draft. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/merge-requests.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { mergeRequestAddress } from "./addresses.ts";
import { EditsField } from "./edits-field.tsx";
import { prefill } from "./prefill.ts";
import { TemplateField } from "./template-field.tsx";
import { useTemplatedText } from "./use-templated-text.ts";

interface NewMergeRequestFormProps {
  /** Full name; undefined: the repository itself. */
  sourceRepo?: string;
  /** Whether those who may merge shall push to the source branch, if nobody says otherwise: of another repository. */
  allowsEdits?: boolean;
  source: string;
  target: string;
  /** Of the commits that would be merged, as far as they are known. */
  messages: readonly string[];
}

/** Those that are shown at the description: the page has chosen them before. */
const otherFields = ["description", "template", "source_repo", "source_branch", "target_branch"];

export function NewMergeRequestForm(props: NewMergeRequestFormProps) {
  const path = useRepositoryPath();
  const templates = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/merge-request-templates",
    { params: { path } },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  if (templates.isPending) return <Skeleton lines={8} />;
  // Without them one can still be written.
  return <Templated {...props} templates={templates.data ?? { templates: [], errors: [] }} />;
}

interface TemplatedProps extends NewMergeRequestFormProps {
  templates: Schemas["TextTemplates"];
}

function Templated({ sourceRepo, allowsEdits = false, source, target, messages, templates }: TemplatedProps) {
  const repository = useRepository();
  const place = useTextPlace();
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const start = prefill(source, messages);
  const {
    text: description,
    template,
    ...templated
  } = useTemplatedText(templates.templates, start.description);
  const from = sourceRepo === undefined ? source : `${sourceRepo}:${source}`;
  const draftKey = `merge-request:${repository.full_name}:${target}...${from}`;
  const create = useChange(
    async ({ title = "", draft, edits }: FormValues) => {
      const from = { sourceRepo, source, edits: edits === "on" };
      const more = template === undefined ? {} : { template: template.path };
      const said = { title, description, target_branch: target, draft: draft === "on", ...more };
      const body = { ...said, ...sourceOf(from) };
      return (await api.POST("/repos/{owner}/{repo}/merge-requests", { params: { path }, body })).data;
    },
    {
      said: text.created,
      onDone: (made) => {
        forgetDraft(draftKey);
        if (made) void navigate(mergeRequestAddress(repository, made.number));
      },
    },
  );
  const problems = fieldProblems(create.error);
  return (
    <Form submit={text.create} state={create} onSubmit={create.mutate}>
      <TextField
        name="title"
        label={text.titleField}
        required
        maxLength={255}
        autoComplete="off"
        defaultValue={start.title}
        problem={problems["title"]}
      />
      <TemplateField
        found={templates}
        chosen={template}
        isTyped={templated.isTyped}
        onChoose={templated.choose}
      />
      <MarkdownField
        label={text.description}
        value={description}
        onChange={templated.setText}
        place={place}
        draftKey={draftKey}
        rows={8}
        problem={otherFields.map((name) => problems[name]).find((problem) => problem !== undefined)}
      />
      <CheckField name="draft" label={text.draftField} hint={text.draftHint} />
      {sourceRepo === undefined ? null : (
        <EditsField defaultChecked={allowsEdits} problem={problems["maintainer_can_modify"]} />
      )}
    </Form>
  );
}

function sourceOf({
  sourceRepo,
  source,
  edits,
}: {
  sourceRepo: string | undefined;
  source: string;
  edits: boolean;
}) {
  const branch = { source_branch: source };
  if (sourceRepo === undefined) return branch;
  return { ...branch, source_repo: sourceRepo, maintainer_can_modify: edits };
}
