/** Words of what jobs of a run report. */

export const text = {
  summary: "Summary",
  summaryOf: (job: string) => `Summary of ${job}`,
  problems: "Some reports could not be read",
  problemOf: (job: string, what: string, message: string) => `${job}, ${what}: ${message}`,
  kinds: {
    summary: "summary",
    annotations: "annotations",
    reports: "reports",
    junit: "results of tests",
    coverage: "coverage",
    sarif: "findings",
  } as Readonly<Record<string, string>>,
  annotations: "Annotations",
  level: "Level",
  levels: { error: "Error", warning: "Warning", notice: "Notice" },
  place: "Place",
  message: "Message",
  job: "Job",
  noAnnotations: "No annotations",
} as const;
