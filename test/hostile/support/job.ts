/** What the tests tell the engine's program, and what it answers. */
import type Dockerode from "dockerode";
import type { EgressSettings } from "@forgeline/runner/egress/settings.ts";
import type { PlanNetwork } from "@forgeline/schemas/pipeline-file/plan-network.ts";
import type { StepExit } from "@forgeline/runner/engine/engine.ts";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";

export interface JobImage {
  name: string;
  user: string | null;
  /** Of a service. */
  entrypoint?: string[];
}

export interface AgentJob {
  runnerId: string;
  workDir: string;
  image: JobImage;
  /** Scripts, run by the image's `sh`. */
  steps: readonly string[];
  /** Of steps that have one of their own, by position. */
  stepImages: Readonly<Record<number, JobImage>>;
  /** Command of a service; null for none. */
  service: string[] | null;
  /** null: the job's. */
  serviceImage: JobImage | null;
  /** Its port, that it is waited for; null: it is not. */
  servicePort: number | null;
  stepTimeoutMs: number;
  /** null: everything is open, as where nobody asked for a filter. */
  egress: EgressSettings | null;
  extraHosts: readonly string[];
  /** What its file lets it reach; null: as the runner permits. */
  network: PlanNetwork | null;
  /** Of the server; null for none. */
  caFile: string | null;
  /** For each container; null: as the daemon says. */
  openFiles: number | null;
  /** For job and service; null: as the daemon says. */
  shmBytes: number | null;
  /** Network of IPv6 that the job's network has beside its own; null for none. */
  ipv6: string | null;
}

export interface StepReport {
  exit: StepExit;
  output: string | null;
  /** What was in `$CI_OUTPUT`. */
  written: string | null;
  planted: readonly string[];
}

/** What the runner asked the daemon to make, and what the daemon says that it made. */
export interface MadeContainer {
  /** As its label says. */
  kind: string;
  options: Dockerode.ContainerCreateOptions;
  image: { names: readonly string[]; user: string; layers: readonly string[] };
  user: string;
  /** All words of process 1, our own paths as the threat model writes them. */
  entrypoint: readonly string[];
  /** `/workspace rw`, in order of their names; those that differ by a number once. */
  mounts: readonly string[];
  /** What of the runner's directory of jobs it may write to, by paths from there. */
  writable: readonly string[];
  /** `none`, `host`, or a network's name. */
  network: string;
}

export interface AgentReport {
  uid: number;
  containers: MadeContainer[];
  /** Names of the bridges that were made. */
  bridges: string[];
  steps: StepReport[];
  services: (string | undefined)[];
  /** After the last step; null where it was not countable. */
  diskBytes: number | null;
  /** Files and directories; null where they were not countable. */
  files: number | null;
  /** Of files that are open and have no name. */
  unlinkedBytes: number;
  /** What counting took. */
  countMs: number;
  /** What the runner said of its filter; null where it was not asked. */
  egress: EgressReport | null;
  /** Names in the runner's directory of jobs, once the job was removed. */
  left: string[];
}

/** Of the job that this runner was given. */
export type AgentAnswer = { runnerId: string } & ({ report: AgentReport } | { failure: string });
