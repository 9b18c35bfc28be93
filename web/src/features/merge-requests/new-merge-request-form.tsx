/** Title, description and whether it is a draft. */
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/merge-requests.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { mergeRequestAddress } from "./addresses.ts";
import { prefill } from "./prefill.ts";

interface NewMergeRequestFormProps {
  source: string;
  target: string;
  comparison: Schemas["Comparison"];
}

export function NewMergeRequestForm({ source, target, comparison }: NewMergeRequestFormProps) {
  const repository = useRepository();
  const place = useTextPlace();
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const messages = comparison.commits.map(({ message }) => message);
  const start = prefill(source, messages);
  const [description, setDescription] = useState(start.description);
  const draftKey = `merge-request:${repository.full_name}:${target}...${source}`;
  const create = useChange(
    async ({ title = "", draft }: FormValues) => {
      const body = {
        title,
        description,
        source_branch: source,
        target_branch: target,
        draft: draft === "on",
      };
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
      <MarkdownField
        label={text.description}
        value={description}
        onChange={setDescription}
        place={place}
        draftKey={draftKey}
        rows={8}
        problem={problems["description"] ?? problems["source_branch"] ?? problems["target_branch"]}
      />
      <CheckField name="draft" label={text.draftField} hint={text.draftHint} />
    </Form>
  );
}
