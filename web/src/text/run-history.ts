/** Words of the history of a run. */
export const text = {
  lead: "Every change of a status in this run, oldest first.",
  caption: "Changes of status",
  none: "Nothing has changed yet",
  when: "When",
  what: "What",
  from: "From",
  to: "To",
  why: "Why",
  by: "By",
  run: "Run",
  stage: (name: string) => `Stage ${name}`,
  job: (name: string) => `Job ${name}`,
  attempt: (attempt: number, job: string) => `Attempt ${attempt} of ${job}`,
  step: (name: string, job: string) => `Step ${name} of ${job}`,
  stepAgain: (name: string, job: string, attempt: number) => `Step ${name} of ${job}, attempt ${attempt}`,
  /** What is not in the run any more. */
  gone: { pipeline: "Run", stage: "A stage", job: "A job", attempt: "An attempt", step: "A step" },
} as const;
