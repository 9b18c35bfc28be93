/** Words of the pages that tell how runs go and what they cost. */
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const count = new Intl.NumberFormat("en");
const minutes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** `date` as in `2026-11-16`. */
export const dayNames = {
  full: (date: string) => day.format(new Date(date)),
  short: (date: string) => shortDay.format(new Date(date)),
};

/** `1.5 s`, `2 min 5 s`, `3 h 20 min`. */
export function tookText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `30 s`, `2.1 min`, `3.3 h`: what fits beside a plot. */
export function roughText(seconds: number): string {
  const [unit, name] = seconds < 60 ? [1, "s"] : seconds < 3600 ? [60, "min"] : [3600, "h"];
  return `${Math.round((seconds / Number(unit)) * 10) / 10} ${name}`;
}

export const text = {
  title: "Pipeline statistics",
  lead: "How often runs succeed, how long they take and wait, and how much time they spend on runners.",
  docs: "How these figures are counted",
  export: "Export all runs",
  period: "Period",
  periods: { "7": "7 days", "30": "30 days", "90": "90 days" },
  branch: "Branch",
  allBranches: "All branches and tags",
  file: "Pipeline file",
  allFiles: "All files",
  show: "Show",
  runs: "Runs",
  successRate: "Succeeded",
  duration: "Half take at most",
  most: "90% take at most",
  waited: "Half wait at most",
  waitedMost: "90% wait at most",
  minutes: "Minutes on runners",
  attempts: "Attempts of jobs",
  none: "–",
  percent: (share: number | null) => (share === null ? "–" : `${Math.round(share * 1000) / 10}%`),
  minutesOf: (value: number) => minutes.format(value),
  emptyTitle: "No runs ended in this period",
  empty: "Choose a longer period or other filters.",
  outcomes: "Runs by day",
  outcomesLead: (succeeded: number, rest: number, other: number) =>
    `${count.format(succeeded)} succeeded, ${count.format(rest)} failed or ended in an error, ${count.format(other)} cancelled or skipped.`,
  durations: "Duration by day",
  durationsLead:
    "Of runs that succeeded or failed: the time that half of them, and 90% of them, took at most.",
  minutesByDay: "Minutes on runners by day",
  minutesLead: "Of all attempts of all jobs, with retries and reruns.",
  asTable: "As a table",
  tableHint: "Days without runs are left out.",
  day: "Day",
  succeeded: "Succeeded",
  failed: "Failed",
  other: "Cancelled or skipped",
  files: "By pipeline file",
  slowJobs: "Slowest jobs",
  slowSteps: "Slowest steps",
  sampled: (runs: number) =>
    runs === 1 ? "Of the last run in this period." : `Of the last ${count.format(runs)} runs in this period.`,
  job: "Job",
  step: "Step",
  times: "Times",
  repository: "Repository",
  costs: "Time on runners by repository",
  costsLead: "Those that need runners most come first.",
} as const;
