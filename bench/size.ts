/** How much each scenario does. */

export interface BenchSize {
  /** How many times each latency is measured. */
  rounds: number;
  /** Rounds before these, which do not count: they fill caches. */
  warmUps: number;
  /** Of the runner that keeps some. */
  waitingContainers: number;
  /** Of the long tables of scenarios 8 and 9. */
  rows: number;
  /** Of the table that they are compared with. */
  fewRows: number;
  listRounds: number;
  /** Of the long log. */
  lines: number;
  lineRounds: number;
  watchers: number;
  /** Lines that all watchers get, after they had time to gather. */
  watchedLines: number;
  gatherSeconds: number;
  /** Started at once. */
  pipelines: number;
  /** One reading of each contender. */
  load: { rounds: number; seconds: number };
  clones: { atOnce: number; ballastBytes: number; idleSeconds: number; readSeconds: number };
  history: { commits: number; cloneRounds: number };
  /** Pushed to at once. */
  repositories: number;
  /** Lines that say when they were written, how many are waited for, and how many of these do not count. */
  clock: { lines: number; seen: number; skipped: number };
  scrollSteps: number;
  /** Pieces of work of the job beside the hungry one. */
  neighbourRounds: number;
  /** Of webhooks: samples of one delivery, deliveries one after the other, and those that wait for a dead endpoint. */
  webhooks: { samples: number; deliveries: number; waiting: number };
  schedules: { count: number; windows: number; windowMs: number };
  /** How long the job works that is run without a server. */
  exec: { seconds: number };
  /** Of the log that is searched. */
  searchedLines: number;
  /** Files of 1 MiB in the cache of a job. */
  cachedFiles: number;
  /** Files of 100 KiB in the artifact of a job. */
  artifactFiles: number;
  /** Results in the report of a job. */
  testCases: number;
  /** Runners that execute nothing: how many, jobs of each at once, whose jobs come from one run, and how long all work. */
  fleet: { runners: number; jobsOfEach: number; runnersOfRun: number; steadyMs: number };
  /** Issues, merge requests and what people are told of them. */
  collaboration: CollaborationSize;
}

export interface CollaborationSize {
  /** Of the repository whose lists are read. */
  mergeRequests: number;
  issues: number;
  reads: { rounds: number; seconds: number };
  /** Of the merge request that is read. */
  comments: number;
  commits: number;
  /** Of the large change. */
  changedFiles: number;
  /** Of the target branch that is pushed to. */
  openMergeRequests: number;
  /** Of the team that is mentioned. */
  members: number;
  inbox: number;
  /** Issues that are searched, and comments on each. */
  searched: { issues: number; comments: number };
  /** Characters that are typed into a comment. */
  typed: number;
  /** How often each latency of them is measured. */
  samples: number;
}

/** What the limits are for. */
export const fullSize: BenchSize = {
  rounds: 10,
  warmUps: 1,
  // As many as runners keep where nothing is set.
  waitingContainers: 3,
  rows: 1_000_000,
  fewRows: 1_000,
  listRounds: 60,
  lines: 1_000_000,
  lineRounds: 3,
  watchers: 500,
  watchedLines: 10_000,
  gatherSeconds: 8,
  pipelines: 200,
  load: { rounds: 5, seconds: 2 },
  clones: { atOnce: 100, ballastBytes: 1024 * 1024, idleSeconds: 5, readSeconds: 1 },
  history: { commits: 20_000, cloneRounds: 3 },
  repositories: 100,
  clock: { lines: 60, seen: 40, skipped: 15 },
  scrollSteps: 600,
  neighbourRounds: 300,
  webhooks: { samples: 200, deliveries: 6_000, waiting: 10_000 },
  schedules: { count: 5_000, windows: 6, windowMs: 5_000 },
  exec: { seconds: 10 },
  // 100 MB.
  searchedLines: 1_515_152,
  cachedFiles: 500,
  // 1 GB.
  artifactFiles: 10_000,
  testCases: 10_000,
  fleet: { runners: 100, jobsOfEach: 20, runnersOfRun: 10, steadyMs: 60_000 },
  collaboration: {
    mergeRequests: 40,
    issues: 200,
    reads: { rounds: 3, seconds: 1 },
    comments: 300,
    commits: 50,
    changedFiles: 1_000,
    openMergeRequests: 200,
    members: 5_000,
    inbox: 10_000,
    searched: { issues: 20_000, comments: 5 },
    typed: 200,
    samples: 30,
  },
};

/** As little as shows that everything works; its figures say nothing. */
export const tinySize: BenchSize = {
  rounds: 1,
  warmUps: 0,
  waitingContainers: 1,
  rows: 300,
  fewRows: 100,
  listRounds: 2,
  lines: 2_000,
  lineRounds: 1,
  watchers: 4,
  watchedLines: 100,
  gatherSeconds: 1,
  pipelines: 4,
  load: { rounds: 1, seconds: 0.1 },
  clones: { atOnce: 2, ballastBytes: 64 * 1024, idleSeconds: 0.1, readSeconds: 0.1 },
  history: { commits: 40, cloneRounds: 1 },
  repositories: 2,
  clock: { lines: 24, seen: 6, skipped: 2 },
  scrollSteps: 20,
  neighbourRounds: 5,
  webhooks: { samples: 3, deliveries: 40, waiting: 20 },
  schedules: { count: 10, windows: 1, windowMs: 100 },
  exec: { seconds: 0.1 },
  searchedLines: 2_000,
  cachedFiles: 3,
  artifactFiles: 20,
  testCases: 150,
  fleet: { runners: 2, jobsOfEach: 2, runnersOfRun: 2, steadyMs: 100 },
  collaboration: {
    mergeRequests: 2,
    issues: 3,
    reads: { rounds: 1, seconds: 0.1 },
    comments: 3,
    commits: 2,
    changedFiles: 12,
    openMergeRequests: 3,
    members: 6,
    inbox: 5,
    searched: { issues: 20, comments: 1 },
    typed: 5,
    samples: 2,
  },
};

export const sizes = { full: fullSize, tiny: tinySize } as const;

/** As figures show it. */
export const countOf = (number: number): string => number.toLocaleString("en");
