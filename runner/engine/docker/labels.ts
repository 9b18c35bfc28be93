/** Names and labels of everything that the engine makes in the daemon; the sweep knows its own by them. */
export const label = {
  runner: "forgeline.runner",
  /** Key of the lease; for what was made before its lease was known, `warm-…` (the directory then tells the lease). */
  lease: "forgeline.lease",
  /** Name of the job's directory below the engine's `workDir`; the same on all parts of one job. */
  job: "forgeline.job",
  /** `job`, `step`, `service`, `network`, `workspace`, `helper`, `filter`, `probe`. */
  kind: "forgeline.kind",
  /** Position of the step, or key of the service. */
  part: "forgeline.part",
} as const;

export type ObjectKind = "job" | "step" | "service" | "network" | "workspace" | "helper" | "filter" | "probe";

export interface Owner {
  runnerId: string;
  leaseKey: string;
  /** Directory's name, and stem of all names in the daemon. */
  jobKey: string;
}

export function labelsOf(owner: Owner, kind: ObjectKind, part?: string): Record<string, string> {
  return {
    [label.runner]: owner.runnerId,
    [label.lease]: owner.leaseKey,
    [label.job]: owner.jobKey,
    [label.kind]: kind,
    ...(part === undefined ? {} : { [label.part]: part }),
  };
}

/** Docker's rule for names, with room for a part. Lease keys are ids and a number, so nothing is lost in practice. */
export function jobKeyOf(leaseKey: string): string {
  return `forgeline-${leaseKey.replaceAll(/[^A-Za-z0-9_.-]/g, "-").slice(0, 120)}`;
}
