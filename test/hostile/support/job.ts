/** What the tests tell the engine's program, and what it answers. */
import type { EgressSettings } from "@forgeline/runner/egress/settings.ts";
import type { StepExit } from "@forgeline/runner/engine/engine.ts";
import type { EgressReport } from "@forgeline/schemas/runner/egress.ts";

export interface AgentJob {
  runnerId: string;
  workDir: string;
  image: { name: string; user: string | null };
  /** Scripts, run by the image's `sh`. */
  steps: readonly string[];
  /** Command of a service of the same image; null for none. */
  service: string[] | null;
  /** Its port, that it is waited for; null: it is not. */
  servicePort: number | null;
  stepTimeoutMs: number;
  /** null: everything is open, as where nobody asked for a filter. */
  egress: EgressSettings | null;
  extraHosts: readonly string[];
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

/** What the runner asked the daemon to make. */
export interface MadeContainer {
  /** As its label says. */
  kind: string;
  imageId: string;
  entrypoint: readonly string[] | null;
  /** `/workspace rw`, in order of their names; those that differ by a number once. */
  mounts: readonly string[];
  /** What of the runner's directory of jobs it may write to, by paths from there. */
  writable: readonly string[];
  /** It has the machine's network. */
  isOnHost: boolean;
  capabilities: readonly string[];
}

export interface AgentReport {
  uid: number;
  containers: MadeContainer[];
  steps: StepReport[];
  services: (string | undefined)[];
  /** After the last step; null where it was not countable. */
  diskBytes: number | null;
  /** Files and directories; null where they were not countable. */
  files: number | null;
  /** Of files that are open and have no name. */
  namelessBytes: number;
  /** What counting took. */
  countMs: number;
  /** What the runner said of its filter; null where it was not asked. */
  egress: EgressReport | null;
  /** Names in the runner's directory of jobs, once the job was removed. */
  left: string[];
}
