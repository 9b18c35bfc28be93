/** What the parts of a running job share. One per lease; made by `RunningJob`. */
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { LeaseSpec, StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Logger } from "pino";
import type { ArtifactConnection } from "../artifacts/artifact-connection.ts";
import type { CacheUploads } from "../caches/cache-uploads.ts";
import type { EgressSettings } from "../egress/settings.ts";
import type { Engine, JobEnvironment } from "../engine/engine.ts";
import type { SetupLog } from "../logs/setup-log.ts";
import type { JobRecord } from "../state/job-record.ts";
import type { Checkout } from "../workspace/checkout.ts";
import type { CommitFetcher } from "../workspace/fetch-commit.ts";
import type { JobShells } from "../shells/job-shells.ts";
import type { JobLogs } from "./job-logs.ts";
import type { SharedWorkspaces } from "./shared-workspaces.ts";
import type { JobStop } from "./job-stop.ts";

export interface JobSettings {
  extraHosts: readonly string[];
  caFile: string | null;
  /** Environment of programs that the runner starts on the host. */
  hostEnv: Readonly<Record<string, string>>;
  /** Where this machine reaches the server, when not under the name in the lease. */
  serverUrl: string | null;
  /** Directory for checkouts under way; on the same file system as the engine's directories. */
  checkoutDir: string;
  limits: RunnerLimits;
  egress: EgressSettings;
}

/** What the server is told while the job runs. Delivery is somebody else's business. */
export interface JobReports {
  started(timeMs: number): void;
  stepStarted(step: { position: number; name: string; timeMs: number }): void;
  stepEnded(step: StepResult): void;
  kept(forMs: number): void;
}

/** Puts the files that a job works on into a directory. Throws `GitError`, or when the signal aborts. */
export type CheckOut = (checkout: Checkout) => Promise<void>;

/** Where artifacts and caches of a job go to and come from; `cacheUploads` with the token of one entry in place of the job's. */
export type OpenFiles = (
  spec: LeaseSpec,
  kind: "artifacts" | "caches" | "cacheUploads",
) => ArtifactConnection;

export interface JobContext {
  spec: LeaseSpec;
  record: JobRecord;
  stop: JobStop;
  logs: JobLogs;
  setup: SetupLog;
  engine: Engine;
  commits: CommitFetcher;
  checkOut: CheckOut;
  openFiles: OpenFiles;
  /** Absent: a job waits until its caches are sent. */
  uploads?: CacheUploads;
  settings: JobSettings;
  sharedWorkspaces: SharedWorkspaces;
  reports: JobReports;
  shells: JobShells;
  logger: Logger;
  save: () => Promise<void>;
}

export type PreparedJob = JobContext & { environment: JobEnvironment };
