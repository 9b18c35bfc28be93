/** The names of what a change of a stream changes, for the audit log, which keeps no secret. */
import { isDeepStrictEqual } from "node:util";
import type { AuditStreamSet } from "@forgeline/schemas/audit-streams/resource.ts";
import type { StoredStream, StreamRow } from "./audit-streams.store.ts";

export function changesOf(
  before: StreamRow,
  { stream: after, isNewAddress }: { stream: StoredStream; isNewAddress: boolean },
  wanted: AuditStreamSet,
): string[] {
  const isSame: Record<string, boolean> = {
    target: isDeepStrictEqual(before.target, after.target) && !isNewAddress,
    ca_certificate: before.ca_certificate === after.caCertificate,
    enabled: before.enabled === after.enabled,
    // One that is given may be the one that is stored; nobody is told which.
    token: wanted.token === undefined,
    secret_access_key: wanted.bucket?.secret_access_key === undefined,
    previous_token: wanted.token !== undefined || wanted.previous_token_hours === undefined,
    start_seq: wanted.start_seq === undefined,
  };
  return Object.keys(isSame).filter((name) => isSame[name] === false);
}
