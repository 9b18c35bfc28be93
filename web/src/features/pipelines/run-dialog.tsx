/** Starts a run: where, which file, with which inputs and variables; shows before what it would do. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems, isNotFound } from "../../api/problem.ts";
import { text } from "../../text/pipelines.ts";
import { text as dialog } from "../../text/run-dialog.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { InputFields, inputsOf } from "./input-fields.tsx";
import { PreviewButton, type PreviewedEvent } from "./preview-button.tsx";
import { RefField } from "./ref-field.tsx";
import { RunPreview } from "./run-preview.tsx";
import { useInputs } from "./use-inputs.ts";
import { usePreview } from "./use-preview.ts";
import { usePipelineFiles } from "./use-pipeline-files.ts";
import { pipelinesKey } from "./use-pipelines.ts";
import { VariableRows, variablesOf } from "./variable-rows.tsx";

export function RunDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={text.run} wide>
      <RunForm onClose={onClose} />
    </Dialog>
  );
}

function RunForm({ onClose }: { onClose: () => void }) {
  const { default_branch } = useRepository();
  const [ref, setRef] = useState(default_branch);
  const files = usePipelineFiles(ref === "" ? null : ref);
  const fields = useRef<HTMLDivElement>(null);
  const start = useStart();
  const preview = usePreview();
  const { reset } = preview;
  useEffect(() => {
    // What was planned for other values says nothing about these.
    const form = fields.current?.closest("form");
    form?.addEventListener("input", reset);
    return () => form?.removeEventListener("input", reset);
  }, [reset]);
  const problems = { ...fieldProblems(preview.error), ...fieldProblems(start.error) };
  const choices = files.data ?? [];
  const [chosen, setChosen] = useState<string>();
  const file = choices.find((each) => each === chosen) ?? choices[0];
  const inputs = useInputs(ref, file);
  const triggerOf = (values: FormValues) => {
    const given = inputsOf(inputs, values);
    return { ...requestOf(values), ...(inputs.length === 0 ? {} : { inputs: given }) };
  };
  const look = (event: PreviewedEvent) => {
    const form = fields.current?.closest("form");
    if (form?.reportValidity()) preview.mutate({ ...event, ...triggerOf(valuesOf(form)) });
  };
  return (
    <Form
      submit={text.run}
      state={start}
      onCancel={onClose}
      onSubmit={(values) => start.mutate(triggerOf(values))}
      aside={<PreviewButton onLook={look} busy={preview.isPending} />}
    >
      <RefField
        label={dialog.runRef}
        name="ref"
        defaultValue={default_branch}
        onChosen={setRef}
        problem={problems["ref"] ?? refProblem(ref, files)}
      />
      {choices.length > 1 ? (
        <SelectField
          label={dialog.runFile}
          name="pipeline"
          problem={problems["pipeline"]}
          value={file}
          onChange={(event) => setChosen(event.target.value)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {each.replace(/^\.forgeline\//, "")}
            </option>
          ))}
        </SelectField>
      ) : null}
      <InputFields inputs={inputs} problems={problems} />
      <VariableRows />
      <div ref={fields}>
        {preview.error ? <ProblemNotice error={preview.error} /> : null}
        {preview.data ? (
          <RunPreview plan={preview.data} isCompared={preview.variables?.before !== undefined} />
        ) : null}
      </div>
    </Form>
  );
}

function refProblem(ref: string, files: { data?: string[] | undefined; error: unknown }): string | undefined {
  if (isNotFound(files.error)) return dialog.runNoRef(ref);
  return files.data?.length === 0 ? dialog.runNoFile(ref) : undefined;
}

/** Goes to the new run. Sent again after a lost answer it is the same run. */
function useStart() {
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const client = useQueryClient();
  const sent = useRef({ body: "", key: "" });
  return useMutation({
    mutationFn: (body: Schemas["PipelineTrigger"]) => {
      const words = JSON.stringify(body);
      if (sent.current.body !== words) sent.current = { body: words, key: crypto.randomUUID() };
      const header = { "Idempotency-Key": sent.current.key };
      return api.POST("/repos/{owner}/{repo}/pipelines", { params: { path, header }, body });
    },
    onSuccess: async ({ data }) => {
      void client.invalidateQueries({ queryKey: [pipelinesKey] });
      if (data) await navigate(new URL(data.web_url).pathname);
    },
  });
}

function valuesOf(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function requestOf(values: FormValues): Schemas["PipelineTrigger"] {
  const { ref = "", pipeline } = values;
  const variables = variablesOf(values);
  return {
    ref: ref.trim(),
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  };
}
