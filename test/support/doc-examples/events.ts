/** Events as examples name them: one of each kind, and some more branches, as far as the file runs for them. */
import type { Compiled } from "@forgeline/compiler/compile.ts";
import { readInputs } from "@forgeline/compiler/given-inputs.ts";
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import { pipelineEventNames, type PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";

const base: PipelineEvent = {
  name: "push",
  ref: "refs/heads/main",
  branch: "main",
  tag: null,
  sha: "0123456789abcdef0123456789abcdef01234567",
  beforeSha: null,
  actor: "ada",
  commitMessage: "Change things",
  commitAuthor: "Ada <ada@example.test>",
  changedPaths: ["src/main.ts", "docs/install.md", "web/page.ts"],
  repository: { owner: "acme", name: "rocket", defaultBranch: "main" },
  inputs: {},
  variables: {},
};
const onBranch = (branch: string) => ({ ...base, branch, ref: `refs/heads/${branch}` });
const onTag = { ...base, branch: null, tag: "v1.2", ref: "refs/tags/v1.2", name: "tag" as const };

const ofMergeRequest: PipelineEvent = {
  ...base,
  name: "merge_request",
  ref: "refs/merge-requests/12/head",
  branch: null,
  mergeRequest: {
    number: 12,
    title: "Change things",
    author: "ada",
    source_branch: "topic",
    target_branch: "main",
    base_sha: base.sha,
    draft: false,
    labels: ["ci::slow"],
    fork: false,
  },
};

const candidates: PipelineEvent[] = [
  ...pipelineEventNames.map((name) => (name === "tag" ? onTag : { ...base, name })),
  ofMergeRequest,
  onBranch("release/1.2"),
  onBranch("topic"),
  { ...onTag, name: "manual" },
];

/** At least one of each that `on` names, or else none of that kind is there, which tests notice. */
export function eventsOf({ on, plan }: Compiled, given: Readonly<Record<string, string>>): PipelineEvent[] {
  if (!on || !plan) return [];
  const { variables, inputs } = split(plan.inputs, given);
  return candidates
    .filter((event) => matchTriggers(on, event).run && (event.name !== "schedule" || on.schedule.length > 0))
    .map((event) => ({
      ...event,
      ...(event.name === "schedule"
        ? { schedule: { name: on.schedule[0]?.name ?? "" } as NonNullable<PipelineEvent["schedule"]> }
        : {}),
      variables,
      inputs: readInputs(plan.inputs, inputs, event.name).values,
    }));
}

/** Inputs that a file requires are given; anything else that an example gives is a variable of the run. */
function split(declared: readonly PlanInput[], given: Readonly<Record<string, string>>) {
  const names = declared.map(({ name }) => name);
  const asked = declared.filter(({ required, default: value }) => required && value === null);
  const inputs = asked.map(({ name, options }) => [name, options[0] ?? "1"] as const);
  const own = Object.entries(given);
  return {
    inputs: Object.fromEntries([...inputs, ...own.filter(([name]) => names.includes(name))]),
    variables: Object.fromEntries(own.filter(([name]) => !names.includes(name))),
  };
}
