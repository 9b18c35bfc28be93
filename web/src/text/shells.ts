/** Words around shells in jobs. */

export const text = {
  open: "Open a shell",
  title: (job: string) => `Shell in ${job}`,
  lead: "What the shell shows is recorded as a log of the job, which everyone who can read the repository can read. Shift+Tab leaves the terminal.",
  opening: "Opening the shell…",
  terminal: (job: string) => `Terminal in ${job}`,
  ended: (message: string, exitCode: number | null) =>
    exitCode === null ? message : `The shell ended with exit code ${exitCode}.`,
  lost: "The connection was lost, and the shell ended with it.",
  again: "Open another shell",
  close: "Close the shell",
  keep: "Keep open if it fails",
  kept: "If the job fails, its container is kept for a shell.",
  end: "Do not keep open",
  endNow: "End now",
  endTitle: (job: string) => `End ${job} now?`,
  endHint: "Shells in it are closed, its container is removed, and the job ends with its result.",
  released: "The job is not kept open any more.",
  rerunKept: "Rerun, kept open if it fails",
};
