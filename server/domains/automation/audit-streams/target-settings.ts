/** Where a stream sends to: what is asked for becomes what is shown and what is secret. A secret never goes to another host than that for which it was given. */
import { isIP } from "node:net";
import type { AuditStreamSet } from "@forgeline/schemas/audit-streams/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import { readAddress } from "../webhooks/endpoint-address.ts";

/** Without secrets. */
export type ShownTarget =
  | { kind: "https"; url: string }
  | {
      kind: "bucket";
      name: string;
      region: string;
      endpoint: string;
      prefix: string;
      access_key_id: string;
    }
  | { kind: "syslog"; host: string; port: number };

/** To be stored encrypted. */
export interface TargetSecrets {
  /** With what is hidden in `ShownTarget`. */
  url?: string;
  token?: string;
  previousToken?: string;
  secretAccessKey?: string;
}

export interface TargetSettings {
  target: ShownTarget;
  secrets: TargetSecrets;
}

export interface SettingsDeps {
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
}

/** `before` is what the stream has now. Throws `validation_failed`. */
export function readTarget(
  { mayDial }: SettingsDeps,
  wanted: AuditStreamSet,
  before: TargetSettings | undefined,
): TargetSettings {
  const kinds = (["url", "bucket", "syslog"] as const).filter((name) => wanted[name] !== undefined);
  if (kinds.length > 1 || (kinds.length === 0 && !before))
    throw invalidField(kinds[1] ?? "url", "one_target", "Give one of `url`, `bucket` and `syslog`.");
  if (wanted.bucket) return readBucket(mayDial, wanted.bucket, before);
  if (wanted.syslog) return readSyslog(mayDial, wanted.syslog);
  if (wanted.url === undefined && before && before.target.kind !== "https") {
    if (wanted.token !== undefined)
      throw invalidField("token", "not_allowed", "Only a stream to a `url` has a token.");
    return before;
  }
  return readUrl(mayDial, wanted, before);
}

type Before = TargetSettings | undefined;
type MayDial = SettingsDeps["mayDial"];

function readUrl(mayDial: MayDial, wanted: AuditStreamSet, before: Before): TargetSettings {
  const old = before?.target.kind === "https" ? { shown: before.target.url, ...before.secrets } : undefined;
  // The address as it is shown has stars in place of its secrets.
  const isNew = wanted.url !== undefined && wanted.url !== old?.shown;
  const { full, shown } = isNew
    ? readAddress(wanted.url ?? "", mayDial)
    : { full: old?.url ?? "", shown: old?.shown ?? "" };
  const { username, password } = new URL(full);
  if (username !== "" || password !== "")
    throw invalidField(
      "url",
      "invalid",
      "The address must have no user name and password: requests carry the token.",
    );
  const known = old?.url !== undefined && new URL(old.url).origin === new URL(full).origin ? old : undefined;
  const token = wanted.token ?? known?.token;
  if (token === undefined) throw invalidField("token", "required", "Requests to this address need a token.");
  const previous = wanted.token === undefined ? known?.previousToken : known?.token;
  return {
    target: { kind: "https", url: shown },
    secrets: { url: full, token, ...(previous === undefined ? {} : { previousToken: previous }) },
  };
}

function readBucket(
  mayDial: MayDial,
  wanted: NonNullable<AuditStreamSet["bucket"]>,
  before: Before,
): TargetSettings {
  const { secret_access_key: given, endpoint: asked, ...named } = wanted;
  const endpoint = readHost(asked ?? `https://s3.${wanted.region}.amazonaws.com`, mayDial);
  const target = { kind: "bucket", ...named, endpoint } as const;
  const old = before?.target.kind === "bucket" ? before.target : undefined;
  const isSame = old?.endpoint === endpoint && old.access_key_id === target.access_key_id;
  const secretAccessKey = given ?? (isSame ? before?.secrets.secretAccessKey : undefined);
  if (secretAccessKey === undefined)
    throw invalidField("bucket.secret_access_key", "required", "This access key needs its secret.");
  return { target, secrets: { secretAccessKey } };
}

/** `https://HOST[:PORT]`. */
function readHost(text: string, mayDial: MayDial): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.href !== `${url.origin}/`)
    throw invalidField("bucket.endpoint", "invalid", "The address must be of the form https://HOST[:PORT].");
  requirePublic(url.hostname.replace(/^\[|\]$/g, ""), { field: "bucket.endpoint", mayDial });
  return url.origin;
}

function readSyslog(mayDial: MayDial, { host, port }: NonNullable<AuditStreamSet["syslog"]>): TargetSettings {
  requirePublic(host, { field: "syslog.host", mayDial });
  return { target: { kind: "syslog", host, port }, secrets: {} };
}

function requirePublic(host: string, { field, mayDial }: { field: string; mayDial: MayDial }): void {
  if (isIP(host) === 0 || mayDial(host)) return;
  throw invalidField(
    field,
    "not_allowed",
    "This address is not public. An administrator can allow it with FORGELINE_OUTBOUND_ALLOW.",
  );
}
