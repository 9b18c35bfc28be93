/** Words of the list of runs, and of what leads to a run. */
export const text = {
  runsOfCommit: "Runs",
  runOfCommit: (number: number, status: string) => `Run #${number}: ${status}`,
  noRun: "none yet",
  title: "Pipelines",
  filters: "Filters",
  status: "Status",
  anyStatus: "Any status",
  event: "Started by",
  anyEvent: "Anything",
  events: {
    push: "push",
    tag: "tag",
    merge_request: "merge request",
    api: "REST or command line",
    schedule: "schedule",
    manual: "button",
    mirror_sync: "sync of the mirror",
    fork_sync: "sync with the upstream",
  },
  ref: "Branch or tag",
  actor: "Person",
  apply: "Filter",
  clear: "Show all",
  runs: "Runs",
  noMessage: "(no message)",
  by: "by",
  sources: {
    push: "Push",
    tag: "Tag",
    merge_request: "Merge request",
    api: "REST",
    schedule: "Schedule",
    manual: "Started",
    mirror_sync: "Sync of the mirror",
    fork_sync: "Sync with the upstream",
  },
  rerun: (times: number) => `run ${times} times`,
  warnings: (count: number) => (count === 1 ? "1 warning" : `${count} warnings`),
  noneFits: "No run matches these filters",
  noneFitsHint: "Remove some of them.",
  pastEnd: "There is no such page",
  pipelinePages: "Pages of runs",
  hiddenTitle: "The runs of this repository are not public",
  hidden: "Only its members can see them.",
  firstTitle: "No run yet",
  firstLead:
    "Each push of a commit with a pipeline file starts a run. Save this as .forgeline.yml at the top of the repository:",
  firstPush: "Then push it:",
  firstWrite: "Write it here",
  firstFile: ".forgeline.yml",
  firstCommands: "Commands that push it",
  firstReader: "People with write access to this repository can start one.",
  edit: "Edit pipeline",
  run: "Run pipeline",
  runRef: "Branch, tag or commit",
  runFile: "Pipeline",
  runNoFile: (ref: string) => `There is no .forgeline.yml and no .forgeline/*.yml on ${ref}.`,
  runNoRef: (ref: string) => `No branch, tag or commit is named ${ref}.`,
  runVariables: "Variables",
  runVariablesHint:
    "Set in the environment of every step, unless the file sets the same name; in expressions as vars.NAME. Names are shown with the run; do not put secrets in them.",
  variableName: (number: number) => `Name of variable ${number}`,
  variableValue: (number: number) => `Value of variable ${number}`,
  namePlaceholder: "NAME",
  valuePlaceholder: "value",
  addVariable: "Add a variable",
  removeVariable: (number: number) => `Remove variable ${number}`,
  preview: "What would run?",
  previewTitle: "What would run",
  previewSkips: "Skipped",
  previewInvalid: "The file has errors",
  stage: (name: string) => `Stage ${name}`,
  documentation: "What a pipeline file can say",
} as const;

/** For users without a pipeline: small, and it works on every image. */
export const firstPipeline = `image: alpine:3.22
steps:
  - echo "Hello from $CI_BRANCH"
  - ls -l
`;
export const firstPush = `git add .forgeline.yml
git commit -m "Add a pipeline"
git push
`;
