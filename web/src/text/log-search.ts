/** Text of the searches of logs. */
export const text = {
  title: "Search logs",
  lead: "All logs of the last runs, the newest first.",
  words: "Words in a line",
  runs: "Last runs",
  ref: "Branch or tag",
  search: "Search",
  none: "No line holds these words.",
  noneYet: (size: string) => `Nothing found in the first ${size}.`,
  found: (count: number) => (count === 1 ? "1 line" : `${count} lines`),
  more: "Search further",
  place: (job: string, step: string, line: number) => `${job} › ${step}, line ${line}`,
  run: (number: number) => `#${number}`,
  docs: "How logs are searched",
  firstError: "First error",
  noError: "The failed step wrote nothing.",
} as const;
