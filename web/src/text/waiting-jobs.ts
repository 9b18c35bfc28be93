/** Words of what waits for runners. */
export const text = {
  title: "Waiting jobs",
  lead: "By what they ask of a runner; the longest wait comes first.",
  docs: "About starting runners by what waits",
  none: "Nothing waits for a runner",
  noneHint: "Jobs are listed here while they wait or run.",
  labels: "Ask for",
  waiting: "Waiting",
  longest: "Longest wait",
  running: "Running",
  idle: "Free slots that fit",
  more: (sets: number) => `${sets} more kinds of jobs are not listed.`,
  wait: (seconds: number) => {
    if (seconds < 90) return `${Math.round(seconds)} s`;
    if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
    return `${Math.round(seconds / 3_600)} h`;
  },
  /** What the queue writes as labels because of other keys of the file; null: of no interest here. */
  ofKeys: {
    "@lease_v2": null,
    "@signed": null,
    "@on:any": null,
    "@privileged": "privileged",
    "@network_none": "network: none",
    "@network_allow": "network: allow",
  } as Readonly<Record<string, string | null>>,
};
