/** `permissions` of a job: what its own token may do, as an author writes it. */
import { z } from "zod";

/** Scopes that the token of a job can have, narrow before wide. */
export const jobPermissions = ["repo:read", "repo:write", "pipeline:read", "pipeline:write"] as const;
export type JobPermission = (typeof jobPermissions)[number];

/** Of a job whose file says nothing. */
export const defaultJobPermissions: readonly JobPermission[] = ["repo:read"];

/** What a repository gives the tokens of its jobs at most: only reading, or whatever their file says. */
export const jobPermissionLevels = ["read", "write"] as const;
export type JobPermissionLevel = (typeof jobPermissionLevels)[number];

export const FilePermissions = z.array(z.enum(jobPermissions)).meta({
  id: "permissions",
  description:
    "What the job's own token (CI_JOB_TOKEN) may do in this repository. Default [repo:read]; []: no more than the checkout needs.",
});
export type FilePermissions = z.infer<typeof FilePermissions>;
