/** What an agent is given: what its jobs need, with all settings of this runner and its state file. */
import type { RunnerConfig } from "./config.ts";
import type { JobWiring } from "./job/create-job.ts";
import type { JobGate } from "./signed-jobs/job-gate.ts";
import type { StateFile } from "./state/state-file.ts";

export type AgentDeps = Omit<JobWiring, "link" | "sender" | "config" | "state" | "sharedWorkspaces"> & {
  config: RunnerConfig;
  state: StateFile;
  /** Default: every lease of the server is executed. */
  gate?: JobGate;
};
