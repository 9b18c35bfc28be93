/**
 * Secrets of runners. Random ones are 256 bits and stored as SHA-256 only. A job token is derived from the instance's key, the
 * attempt and its epoch: every server can send the same token again after a reconnect, and none of them has to store it.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";

export function newRunnerCredential(): string {
  return `svc_runner_${randomBytes(32).toString("base64url")}`;
}

export function newRegistrationToken(): string {
  return `svc_reg_${randomBytes(32).toString("base64url")}`;
}

/** For one entry of a cache that a runner still sends. */
export function newCacheUploadToken(): string {
  return `svc_upload_${randomBytes(32).toString("base64url")}`;
}

/** The token of one lease, always the same for the same key, attempt and epoch. */
export function jobToken(key: Uint8Array, attemptId: string, epoch: number): string {
  const mac = createHmac("sha256", key).update(`job-token:${attemptId}:${epoch}`).digest("base64url");
  return `svc_job_${mac}`;
}

export function hashCredential(credential: string): Buffer {
  return createHash("sha256").update(credential).digest();
}
