/** Where the parts of a job lie in the runner's directory. */
import { createHash } from "node:crypto";
import { join } from "node:path";

const jobPrefix = "job-";
const workspacePrefix = "stage-";

export interface JobPlaces {
  jobDir: string;
  /** `TMPDIR` of steps. */
  temporary: string;
  /** Scripts, logs, outputs and ends of steps. */
  steps: string;
}

export function jobPlaces(jobDir: string): JobPlaces {
  return { jobDir, temporary: join(jobDir, "tmp"), steps: join(jobDir, "steps") };
}

/** Names of leases are safe as names of files: the server's contract says so. */
export function jobDirectory(workDir: string, leaseKey: string): string {
  return join(workDir, `${jobPrefix}${leaseKey}`);
}

/** Ids of workspaces are no names of files by contract, so they are hashed. */
export function sharedDirectory(workDir: string, id: string): string {
  return join(workDir, `${workspacePrefix}${createHash("sha256").update(id).digest("hex").slice(0, 32)}`);
}

/** Null for what is none of ours. */
export function leaseKeyOf(name: string): string | null {
  return name.startsWith(jobPrefix) ? name.slice(jobPrefix.length) : null;
}

export function isSharedDirectory(name: string): boolean {
  return name.startsWith(workspacePrefix);
}
