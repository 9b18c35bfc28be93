/** Words of the coverage that jobs report. */

export const text = {
  title: "Coverage",
  lead: "How many lines tests covered in the runs of the default branch.",
  docs: "How to report coverage",
  inAll: (percent: number, covered: string, total: string) => `${percent}%: ${covered} of ${total} lines`,
  inRun: (run: number, percent: number) => `#${run}: ${percent}%`,
  percent: "Covered",
  lines: "Lines",
  linesOf: (covered: string, total: string) => `${covered} of ${total}`,
  file: "File",
  job: "Job",
  run: "Run",
  commit: "Commit",
  when: "When",
  noFiles: "No files",
  none: "No coverage",
  noneHint: "It appears here once a job of the default branch reports it.",
} as const;
