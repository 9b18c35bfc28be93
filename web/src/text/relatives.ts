/** Words about runs that started each other. */
export const text = {
  title: "Other pipelines",
  startedBy: "Started by",
  started: "Starts",
  ofJob: (job: string, attempt: number) => (attempt > 1 ? `by ${job}, attempt ${attempt}` : `by ${job}`),
  run: (repository: string, number: number) => `${repository} #${number}`,
} as const;
