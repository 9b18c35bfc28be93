/** Words of what starts a run, and shows before what it would do. */
import type { pipelineEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

export const text = {
  runRef: "Branch, tag or commit",
  runFile: "Pipeline",
  runNoFile: (ref: string) => `There is no .forgeline.yml and no .forgeline/*.yml on ${ref}.`,
  runNoRef: (ref: string) => `No branch, tag or commit is named ${ref}.`,
  requiredInput: (name: string) => `${name} (required)`,
  noChoice: "Choose…",
  preview: "What would run?",
  previewEvent: "Event to look at",
  previewMore: "Changed files and user",
  previewFields: {
    before: "Changes since this branch, tag or commit",
    paths: "Or changed files, separated by commas",
    actor: "User name of who causes it",
  },
  previewChanges: (count: number) => `${count} ${count === 1 ? "file changes" : "files change"}.`,
  previewTooMany: "Too many files have changed: all filters by path match.",
  previewVariables: "Variables",
  events: {
    push: "For a push",
    tag: "For a tag",
    merge_request: "On a merge request",
    manual: "By hand",
    api: "By the API",
    schedule: "By a schedule",
    mirror_sync: "After a sync of the mirror",
    fork_sync: "After a sync of the fork",
    pipeline: "From another pipeline",
  } satisfies Record<(typeof pipelineEvents)[number], string>,
  levels: {
    instance: "of the instance",
    organization: "of the organization",
    repository: "of the repository",
    environment: "of the environment",
    run: "of this run",
  } satisfies Record<Schemas["RunVariable"]["level"], string>,
  fileWins: (jobs: string) => `– not in ${jobs}, where “env” of the file wins`,
  previewTitle: "What would run",
  previewMatrix: (running: number, all: number) =>
    running === all ? `${all} combinations` : `${running} of ${all} combinations`,
  previewSteps: (count: number) =>
    count === 1 ? "1 step with a condition" : `${count} steps with conditions`,
  previewToken: (permissions: string) =>
    permissions === "" ? "its token may only fetch" : `its token: ${permissions}`,
  previewGate: ({ of, approvals, wait_minutes: minutes }: Schemas["PlanGate"]) => {
    const parts = [
      ...(approvals === 0 ? [] : [`${approvals} ${approvals === 1 ? "approval" : "approvals"}`]),
      ...(minutes === 0 ? [] : [`${minutes} ${minutes === 1 ? "minute" : "minutes"}`]),
    ];
    return `(waits for ${parts.join(" and ")}${of === "environment" ? " of its environment" : ""})`;
  },
  previewEnds: {
    skipped: "Skipped",
    error: "Ends with an error",
    failed: "Fails",
  } satisfies Record<NonNullable<Schemas["PlanNode"]["ends"]> | "skipped", string>,
  previewPriority: (priority: number, asked: number | undefined) =>
    asked === undefined
      ? `(priority ${priority})`
      : `(asks for priority ${asked}, capped to ${priority} by the operator)`,
  previewInvalid: "The file has errors",
  previewWarnings: "Warnings about the file",
  previewTogether: "(all jobs on one runner)",
  stage: (name: string) => `Stage ${name}`,
} as const;
