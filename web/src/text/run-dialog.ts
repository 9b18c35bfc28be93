/** Words of what starts a run, and shows before what it would do. */
export const text = {
  runRef: "Branch, tag or commit",
  runFile: "Pipeline",
  runNoFile: (ref: string) => `There is no .forgeline.yml and no .forgeline/*.yml on ${ref}.`,
  runNoRef: (ref: string) => `No branch, tag or commit is named ${ref}.`,
  requiredInput: (name: string) => `${name} (required)`,
  noChoice: "Choose…",
  preview: "What would run?",
  previewTitle: "What would run",
  previewMatrix: (running: number, all: number) =>
    running === all ? `${all} combinations` : `${running} of ${all} combinations`,
  previewSkips: "Skipped",
  previewInvalid: "The file has errors",
  stage: (name: string) => `Stage ${name}`,
} as const;
