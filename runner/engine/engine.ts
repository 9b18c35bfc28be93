/**
 * What the job state machine needs of whatever executes jobs. `docker/`, `process/` and `fake/` implement it and pass one
 * conformance suite (`test/contract/engine-conformance.test.ts`); what needs containers is not asked of `process/`.
 *
 * Order of calls for one job: `prepare` → (caller clones into `workspaceDir`) → `ready` → `startServices` →
 * `runStep`, one after the other or several at the same time → `endServices` → `destroy`. `destroy` may be called at any time, more than once,
 * and always removes everything. After a restart of the agent `reattach` gives the same environment back from its handle.
 * Output of steps and services goes to files that only grow, so a reader can continue from any offset.
 */
import type { Readable, Writable } from "node:stream";
import type {
  PlanImage,
  PlanResources,
  PlanService,
  PlanStep,
} from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNetwork } from "@forgeline/schemas/pipeline-file/plan-network.ts";
import type { RunnerEngine } from "@forgeline/schemas/runners/engine.ts";
import type { RunnerFeature } from "@forgeline/schemas/runners/feature.ts";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { z } from "zod";
import type { ContainerFiles } from "./container-files.ts";

/** What a registry is told when it is asked for an image; kept in memory only. */
export interface RegistryCredentials {
  username: string;
  password: string;
}
export type EngineImage = z.infer<typeof PlanImage> & { credentials?: RegistryCredentials };

export type EngineService = z.infer<typeof PlanService> & {
  image: EngineImage;
  /** Contents of files that only this service sees, by the variables that hold their paths. Absent: none. */
  files?: Readonly<Record<string, string>>;
};

/** What decides how much of the machine each container of a job gets. */
export interface JobShape {
  resources: z.infer<typeof PlanResources>;
  services: readonly Pick<z.infer<typeof PlanService>, "key" | "resources">[];
  /** How many steps run in containers of their own at the same time, at most. */
  stepContainers: number;
}

export interface EngineJob extends JobShape {
  /** Unique name of the lease: `<attemptId>-<epoch>`; used in names and labels of all that is made. */
  leaseKey: string;
  repositoryId: string;
  image: EngineImage;
  /** Name of the workspace that other jobs use before or after it, and that outlives it; null: one of its own. */
  sharedWorkspace: string | null;
  /** What the job asks of its runner. Absent: nothing that anybody here looks at. */
  runnerLabels?: readonly string[];
  /** Extra `host:address` entries, for example `host.docker.internal:host-gateway`. */
  extraHosts: readonly string[];
  /** Host file with the certificate authority to mount read-only at `/forgeline/ca.pem`; null for none. */
  caFile: string | null;
  /** What the job may reach beside its own services. Absent: what the runner permits. */
  network?: PlanNetwork;
  /** Its containers have all rights on the machine. Absent: none has. */
  isPrivileged?: boolean;
  /** Progress worth a line in the set-up log, such as "pulling image x". */
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

/**
 * JSON-safe; written to the agent's state file once, after `prepare`: what is made later (services, containers of
 * steps) is found again by label. The job's directory is made by the ENGINE below its own `workDir`, since a
 * waiting container needs its directories before the lease is known; `destroy` removes it. What must outlive
 * the job (spool, state file) is elsewhere.
 */
export interface JobHandle {
  leaseKey: string;
  repositoryId: string;
  jobDir: string;
  containerId: string;
  networkId: string | null;
  volume: string | null;
}

export interface StepCommand {
  position: number;
  /** Script text; run by bash -eo pipefail, or sh -e where there is no bash ("auto"); with "none" by what its first line names. */
  script: string;
  shell: PlanStep["shell"];
  /** bash and sh print each command before they run it. Absent: no. */
  traced?: boolean;
  env: Record<string, string>;
  /** Contents of files that are gone when the step ends, by the variables that hold their paths. Absent: none. */
  files?: Readonly<Record<string, string>>;
  /** Relative to the workspace; null for its root. */
  workdir: string | null;
  /** A step with its own image gets its own container on the same workspace and network. */
  image: EngineImage | null;
}

export type StepExit =
  /** `note` says what limit was met, such as the number of processes; it may be there with exit code 0. */
  | { kind: "exited"; code: number; note?: string }
  /** The kernel killed processes of the step for memory. */
  | { kind: "oom" }
  /** What the step printed could not be kept; `errorNumber` is the system's, such as 28 for a full disk. */
  | { kind: "log_lost"; errorNumber: number }
  /** The container is gone or stopped without the step having reported. `lead`: what is gone, where there is no container. */
  | { kind: "container_lost"; message: string; lead?: string };

/**
 * The job can write into the directory of its files, except `outputFile`, and of this too in the fake engine: read them through
 * `openJobFile` (`runner/engine/job-file.ts`) only, which follows no link and opens no pipe.
 */
export interface RunningStep {
  position: number;
  /** Host path of stdout and stderr in their true order; exists once `runStep` has returned. */
  outputFile: string;
  /** Host path that `$CI_OUTPUT` names inside. */
  ciOutputFile: string;
  /** Host path that `$CI_SUMMARY` names. */
  summaryFile: string;
  /** Host path that `$CI_ANNOTATIONS` names. */
  annotationsFile: string;
  /** Names of files of this step that something in the job had made before it began; they were set aside. */
  planted: readonly string[];
  /** Resolves once; also after re-attach to a step that ended meanwhile. Rejects only when aborted. */
  wait(signal: AbortSignal): Promise<StepExit>;
  /** To the step's whole process group. Nothing happens when it has ended. */
  kill(signalName: "TERM" | "KILL"): Promise<void>;
}

export interface RunningService {
  key: string;
  outputFile: string;
}

/** One that ended by itself. */
export interface FailedService {
  key: string;
  exitCode: number;
  /** The kernel killed it for memory. */
  isOom: boolean;
}

/** What is counted of a disk's bytes, and where it lies. */
export interface DiskBytes {
  bytes: number;
  /** Of them, on the disk of the daemon; told only where that is another one than the runner's. */
  daemonBytes?: number;
}

export interface DiskUsage extends DiskBytes {
  /** Files and directories below what containers of the job can change. */
  files: number;
}

/** Why a job could not get its environment; `code` is a reason of `pipelines.md` section 5. */
export class EngineError extends Error {
  readonly code:
    | "image_pull"
    | "service_not_ready"
    | "no_shell"
    | "address_pool"
    | "resources"
    | "disk_full"
    | "engine_down"
    | "outputs_closed"
    | "not_permitted"
    | "unsupported"
    | "internal";
  constructor(code: EngineError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EngineError";
    this.code = code;
  }
}

export interface ShellCommand {
  env: Record<string, string>;
  /** Of the terminal. */
  columns: number;
  rows: number;
}

/** A shell with a terminal, in the workspace, as the user that steps run as. */
export interface EngineShell {
  /** What the terminal shows; ends with the shell. */
  output: Readable;
  /** What is typed. */
  input: Writable;
  resize(columns: number, rows: number): Promise<void>;
  /** Once the output has ended; null where it is not known. */
  exitCode(): Promise<number | null>;
  /** Ends the shell and all that it started in its session. Idempotent. */
  end(): Promise<void>;
}

/** Paths as programs of a job know them. */
export interface SeenPlaces {
  workspace: string;
  /** Of the PEM file; only where there is one. */
  caFile: string;
}

export interface JobEnvironment {
  handle: JobHandle;
  /** Host directory mounted at `/workspace`. */
  workspaceDir: string;
  /** Where steps see the workspace and the server's authority. Absent: where containers have them. */
  seenAt?: SeenPlaces;
  /** Makes the workspace belong to the image's user; call after the clone. */
  ready(signal: AbortSignal): Promise<void>;
  /** Files as steps see them, named as in containers; before the first step or after the last. Throws `EngineError`. */
  files(signal: AbortSignal): Promise<ContainerFiles>;
  /** Lets the runner read the whole workspace, whoever its files belong to; call after the last step. */
  openWorkspace(): Promise<void>;
  /** Starts all, and waits until each is ready. Throws `service_not_ready`. */
  startServices(
    services: readonly EngineService[],
    onService: (s: RunningService) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Those that were started, by an agent before this one too. */
  services(): RunningService[];
  /**
   * Ends all services; resolves once everything that they printed is in their files, with those that had failed by themselves before.
   * Idempotent.
   */
  endServices(): Promise<readonly FailedService[]>;
  /** Why hosts were refused that the job asked for, one sentence each; bounded. Absent: none ever is. */
  refusedHosts?(): readonly string[];
  runStep(command: StepCommand, signal: AbortSignal): Promise<RunningStep>;
  /** A step that was started before the agent died; null when it never started. */
  reattachStep(position: number): Promise<RunningStep | null>;
  /** Throws where the container has no shell or is gone. Nothing that is done in it is waited for. */
  openShell(command: ShellCommand, signal: AbortSignal): Promise<EngineShell>;
  /** Ends shells that an agent before this one has left. */
  endShells(): Promise<void>;
  /**
   * Ends everything of the job's steps after this time, also if the agent is dead by then; counts while the machine sleeps. Each call
   * replaces the one before; null: not any more. A step that this ends is `container_lost`.
   */
  fence(ms: number | null): Promise<void>;
  /**
   * What the job takes of the disk: workspace, outputs, and what its containers wrote. Infinity where it is unknown,
   * so that nothing gains by hiding. Rejects with the daemon away.
   */
  diskUsage(): Promise<DiskUsage>;
  /**
   * What its processes hold open of files that have no name any more, which are in no count of directories; nothing where the runner
   * may not look. Bounded, and not all of it: what is mapped and closed, or under way between two processes, is not found.
   */
  unlinkedBytes(): Promise<DiskBytes>;
  /** Removes containers, network, volume and directory, but no shared workspace. Idempotent. */
  destroy(): Promise<void>;
}

export interface Engine {
  /** Jobs are processes of the runner's user: no images, no services, no isolation. Absent: they run in containers. */
  isWithoutContainers?: true;
  /** Throws `EngineError`. Uses a waiting container when one fits. */
  prepare(job: EngineJob): Promise<JobEnvironment>;
  /** null when the containers are gone. */
  reattach(handle: JobHandle): Promise<JobEnvironment | null>;
  /** Removes what is left of a job whose containers may be gone already. Idempotent. */
  discard(handle: JobHandle): Promise<void>;
  /** Removes everything that carries this runner's label and belongs to none of `keep` (lease keys, and names of shared workspaces). */
  sweep(keep: ReadonlySet<string>): Promise<{ containers: number; networks: number; volumes: number }>;
  /** Removes a shared workspace, which no job uses. Idempotent. */
  removeWorkspace(name: string): Promise<void>;
  /** What runs the containers; null where there are none. */
  kind(): Promise<RunnerEngine | null>;
  /** Names of images present, newest first. */
  images(): Promise<string[]>;
  /** Where images and layers lie, as the daemon says; null where it says nothing. Never rejects. */
  storageDirectory(): Promise<string | null>;
  /** Ends every pull in progress, since a disk runs low; the job that wants the image gets `disk_full`. */
  stopPulls(): void;
  /** What an operator should know at the start, one sentence each (old runc, no live-restore, …). */
  warnings(): Promise<string[]>;
  /** Why no job can run here at all, for people; null: nothing is known against it. */
  obstacle(): Promise<string | null>;
  /**
   * Holds jobs back from networks that are not theirs, as the operator wants it, and says how far that goes; before any job, and
   * again whenever somebody wants to know how it stands. Throws where the operator requires what cannot be done.
   */
  filterEgress(): Promise<EgressReport>;
  /** What jobs may ask for that not every runner has, as `filterEgress` found it last. */
  features(): RunnerFeature[];
  /** Jobs reach the server at this address; before the job that needs it. */
  serverAt(url: string): void;
  /** Fills the pool of waiting containers; bounded; called when idle. Never rejects; nobody needs to wait for it. */
  warm(): Promise<void>;
  /** Removes waiting containers; running jobs are left alone. */
  close(): Promise<void>;
}
