/** Opens the target of a stream, with its secrets readable. */
import type { Addresses } from "../../../platform/addresses.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createBucketTarget } from "./bucket-target.ts";
import { createHttpsTarget } from "./https-target.ts";
import type { StreamTarget } from "./stream-target.ts";
import { createSyslogTarget } from "./syslog-target.ts";
import type { ShownTarget, TargetSecrets } from "./target-settings.ts";

export interface OpenTargetDeps {
  addresses: Addresses;
  encryption: Encryption;
  outbound: Outbound;
}

export interface TargetRow {
  id: string;
  /** Null: the instance's log. */
  organization: string | null;
  target: ShownTarget;
  sealed_secrets: Buffer;
  ca_certificate: string | null;
  /** Whether the token before is tried too. */
  uses_previous: boolean | null;
}

export function readSecrets(
  encryption: Encryption,
  { id, sealed_secrets: sealed }: Pick<TargetRow, "id" | "sealed_secrets">,
): TargetSecrets {
  // Written by us alone: `sealSecrets`.
  return JSON.parse(encryption.decrypt(id, sealed)) as TargetSecrets;
}

export function sealSecrets(encryption: Encryption, id: string, secrets: TargetSecrets): Buffer {
  return encryption.encrypt(id, JSON.stringify(secrets));
}

export function openTarget(
  { addresses, encryption, outbound }: OpenTargetDeps,
  row: TargetRow,
): StreamTarget {
  const { target } = row;
  const { url = "", token = "", previousToken, secretAccessKey = "" } = readSecrets(encryption, row);
  const authority = row.ca_certificate ?? undefined;
  if (target.kind === "syslog") {
    // An IPv6 address without brackets (RFC 5424 6.2.4).
    const sender = new URL(addresses.baseUrl).hostname.replace(/^\[|\]$/g, "");
    return createSyslogTarget(outbound, { ...target, authority, sender });
  }
  const connections = outbound.connect({ max: 1, authority });
  if (target.kind === "bucket") return createBucketTarget(connections, { ...target, secretAccessKey });
  const usesPrevious = row.uses_previous === true && previousToken !== undefined;
  return createHttpsTarget(connections, {
    url,
    tokens: usesPrevious ? [token, previousToken] : [token],
    log: row.organization ?? "instance",
  });
}
