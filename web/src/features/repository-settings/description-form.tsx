/** What a repository says about itself, and which branch stands for it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { jobPermissionLevels, mergeRequestPipelineKinds } from "@forgeline/client/generated/choices.ts";
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/repository-settings.ts";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { wordsOf } from "../../ui/words.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

export function DescriptionForm() {
  const repository = useRepository();
  const path = useRepositoryPath();
  const save = useChange((values: FormValues) => saveDescription(path, repository, values), {
    said: text.saved,
  });
  const problems = fieldProblems(save.error);
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <TextField
        name="description"
        label={text.description}
        defaultValue={repository.description}
        maxLength={1000}
        problem={problems["description"]}
      />
      <TextField
        name="topics"
        label={text.topics}
        hint={text.topicsHint}
        defaultValue={repository.topics.join(" ")}
        autoCapitalize="off"
        problem={Object.entries(problems).find(([field]) => field.startsWith("topics"))?.[1]}
      />
      <DefaultBranchField repository={repository} problem={problems["default_branch"]} />
      <CheckField
        name="public_pipelines"
        label={text.publicPipelines}
        hint={text.publicPipelinesHint}
        defaultChecked={repository.public_pipelines}
      />
      {repository.mirror ? (
        <CheckField
          name="mirror_sync_pipelines"
          label={text.mirrorSyncPipelines}
          hint={text.mirrorSyncPipelinesHint}
          defaultChecked={repository.mirror_sync_pipelines}
        />
      ) : null}
      {repository.fork ? (
        <CheckField
          name="fork_sync_pipelines"
          label={text.forkSyncPipelines}
          hint={text.forkSyncPipelinesHint}
          defaultChecked={repository.fork_sync_pipelines}
        />
      ) : null}
      <MergeRequestsField
        kind={repository.merge_request_pipelines}
        problem={problems["merge_request_pipelines"]}
      />
      <JobTokensField level={repository.job_permissions_max} problem={problems["job_permissions_max"]} />
    </Form>
  );
}

function MergeRequestsField(props: {
  kind: Schemas["Repository"]["merge_request_pipelines"];
  problem: string | undefined;
}) {
  return (
    <SelectField
      name="merge_request_pipelines"
      label={text.mergeRequestPipelines}
      hint={text.mergeRequestPipelinesHint}
      defaultValue={props.kind}
      problem={props.problem}
    >
      {mergeRequestPipelineKinds.map((kind) => (
        <option key={kind} value={kind}>
          {text.mergeRequestPipelineKinds[kind]}
        </option>
      ))}
    </SelectField>
  );
}

function JobTokensField(props: {
  level: Schemas["Repository"]["job_permissions_max"];
  problem: string | undefined;
}) {
  return (
    <SelectField
      name="job_permissions_max"
      label={text.jobPermissionsMax}
      hint={text.jobPermissionsMaxHint}
      defaultValue={props.level}
      problem={props.problem}
    >
      {jobPermissionLevels.map((level) => (
        <option key={level} value={level}>
          {text.jobPermissionLevels[level]}
        </option>
      ))}
    </SelectField>
  );
}

function DefaultBranchField(props: { repository: Schemas["Repository"]; problem: string | undefined }) {
  const path = useRepositoryPath();
  const branches = $api.useQuery("get", "/repos/{owner}/{repo}/branches", {
    params: { path, query: { per_page: 100 } },
  });
  const present = props.repository.default_branch;
  const names = branches.data?.map(({ name }) => name) ?? [];
  return (
    <SelectField
      name="default_branch"
      label={text.defaultBranch}
      hint={text.defaultBranchHint}
      // Drawn again with the branches: a browser forgets a choice whose option was not there.
      key={names.length}
      defaultValue={present}
      problem={props.problem}
    >
      {[...new Set([present, ...names])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

async function saveDescription(
  path: { owner: string; repo: string },
  { mirror, fork }: Schemas["Repository"],
  values: FormValues,
): Promise<void> {
  const isOn = (name: string) => values[name] !== undefined;
  await api.PUT("/repos/{owner}/{repo}/topics", {
    params: { path },
    body: { topics: wordsOf(values["topics"]) },
  });
  await api.PATCH("/repos/{owner}/{repo}", {
    params: { path },
    body: {
      description: values["description"] ?? "",
      default_branch: values["default_branch"] ?? "",
      public_pipelines: isOn("public_pipelines"),
      merge_request_pipelines:
        mergeRequestPipelineKinds.find((kind) => kind === values["merge_request_pipelines"]) ?? "head",
      job_permissions_max:
        jobPermissionLevels.find((level) => level === values["job_permissions_max"]) ?? "write",
      ...(mirror ? { mirror_sync_pipelines: isOn("mirror_sync_pipelines") } : {}),
      ...(fork ? { fork_sync_pipelines: isOn("fork_sync_pipelines") } : {}),
    },
  });
}
