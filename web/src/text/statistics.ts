/** Words of the dashboard of a repository. */
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });
const count = new Intl.NumberFormat("en");
const commits = (number: number) => (number === 1 ? "1 commit" : `${count.format(number)} commits`);

/** `date` as in `2026-11-16`. */
export const weekNames = {
  full: (date: string) => day.format(new Date(date)),
  short: (date: string) => shortDay.format(new Date(date)),
  month: (date: string) => month.format(new Date(date)),
};

export const text = {
  title: "Statistics",
  history: "History",
  dependencies: "Dependencies",
  lead: (branch: string) => `Activity in the history of ${branch}.`,
  asOf: "As of",
  computed: "computed",
  span: "Time span",
  spans: { "13": "3 months", "52": "1 year", "260": "5 years" },
  pendingTitle: "The statistics are being computed",
  pending: "They appear on this page when they are ready.",
  updating: "Newer commits are being processed.",
  failed: "Processing the newest commits failed. It is retried within hours, and after each push.",
  failedTitle: "The history could not be read",
  emptyTitle: "No commits yet",
  empty: "Push some to the default branch, and this page shows who works on what.",
  commits: "Commits by week",
  commitsLead: (total: number, weeks: number, inWindow: number) =>
    `${commits(inWindow)} in ${weeks} weeks, ${count.format(total)} in all.`,
  busiest: (date: string, number: number) =>
    `The busiest week, from ${day.format(new Date(date))}, has ${commits(number)}.`,
  lines: "Lines by week",
  linesLead: (added: string, deleted: string) => `${added} added and ${deleted} deleted.`,
  none: "Nothing in this time span. Choose a longer one.",
  asTable: "As a table",
  tableHint: "Weeks without commits are left out.",
  week: "Week from",
  commitColumn: "Commits",
  added: "Added",
  deleted: "Deleted",
  commitCount: commits,
  contributors: "Contributors",
  contributorsLead: "Totals cover the whole history, the small charts the time span above.",
  contributor: "Contributor",
  activity: "By week",
  share: "Added and deleted",
  languages: "Languages",
  language: "Language",
  languagesLead:
    "Code and markup by size; vendored and generated files and documentation are not counted. A .gitattributes file can override this.",
  noLanguages: "No code or markup was found.",
  percent: "Share",
  percentOf: (percent: number) => (percent < 0.05 ? "<0.1%" : `${percent.toFixed(1)}%`),
  size: "Size",
  files: "Files",
} as const;
