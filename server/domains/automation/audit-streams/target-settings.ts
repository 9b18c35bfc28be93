/** Where a stream sends to: what is asked for becomes what is shown and what is secret. A secret never goes to another host than that for which it was given. */
import { isIP } from "node:net";
import type { AuditStreamSet } from "@forgeline/schemas/audit-streams/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import { isSameSecret } from "../../../platform/credentials/is-same-secret.ts";
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

export interface ChosenTarget extends TargetSettings {
  /** How long the token before is tried too; null: as it was, 0: it is gone. */
  previousTokenHours: number | null;
  /** Whether it is at the same host, to which what was given for it may go on. */
  isSameHost: boolean;
  /** Whether the address is another one, perhaps only in what is hidden. */
  isNewAddress: boolean;
}

export interface SettingsDeps {
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
}

type Before = TargetSettings | undefined;
type MayDial = SettingsDeps["mayDial"];

const usualPreviousHours = 24;
const usualRegion = "us-east-1";
/** RFC 5425 4.1. */
const usualPort = 6514;

/** `before` is what the stream has now; what is left out stays as it is there. Throws `validation_failed`. */
export function readTarget({ mayDial }: SettingsDeps, wanted: AuditStreamSet, before: Before): ChosenTarget {
  const kinds = (["url", "bucket", "syslog"] as const).filter((name) => wanted[name] !== undefined);
  if (kinds.length > 1 || (kinds.length === 0 && !before))
    throw invalidField(kinds[1] ?? "url", "one_target", "Give one of `url`, `bucket` and `syslog`.");
  if (wanted.url !== undefined || (kinds.length === 0 && before?.target.kind === "https"))
    return readUrl(mayDial, wanted, before);
  refuseToken(wanted);
  if (wanted.bucket) return readBucket(mayDial, wanted.bucket, before);
  if (wanted.syslog) return readSyslog(mayDial, wanted.syslog, before);
  if (!before) throw new Error("a stream without a target");
  return { ...before, ...without, isSameHost: true };
}

/** Of a target that has no token, and no hidden address. */
const without = { previousTokenHours: 0, isNewAddress: false };

function refuseToken(wanted: AuditStreamSet): void {
  for (const field of ["token", "previous_token_hours"] as const)
    if (wanted[field] !== undefined)
      throw invalidField(field, "not_allowed", "Only a stream to a `url` has a token.");
}

function readUrl(mayDial: MayDial, wanted: AuditStreamSet, before: Before): ChosenTarget {
  const old = before?.target.kind === "https" ? { shown: before.target.url, ...before.secrets } : undefined;
  // The address as it is shown has stars in place of its secrets.
  const isNew = wanted.url !== undefined && wanted.url !== old?.shown;
  const { full, shown } = isNew
    ? readAddress(wanted.url ?? "", mayDial)
    : { full: old?.url ?? "", shown: old?.shown ?? "" };
  const { username, password, origin } = new URL(full);
  if (username !== "" || password !== "")
    throw invalidField(
      "url",
      "invalid",
      "The address must have no user name and password: requests carry the token.",
    );
  const isSameHost = old?.url !== undefined && new URL(old.url).origin === origin;
  const tokens = readTokens(wanted, isSameHost ? old : undefined);
  return {
    target: { kind: "https", url: shown },
    secrets: { url: full, ...tokens.secrets },
    previousTokenHours: tokens.previousTokenHours,
    isSameHost,
    isNewAddress: full !== old?.url,
  };
}

/** `known`: those that were given for this host. */
function readTokens(
  { token: wanted, previous_token_hours: hours }: AuditStreamSet,
  known: TargetSecrets | undefined,
): Pick<ChosenTarget, "secrets" | "previousTokenHours"> {
  const token = wanted ?? known?.token;
  if (token === undefined) throw invalidField("token", "required", "Requests to this address need a token.");
  // Somebody who says the same twice changes nothing.
  const isNew = !isSameSecret(token, known?.token ?? "");
  if (!isNew && hours !== undefined && hours !== 0 && wanted === undefined)
    throw invalidField("previous_token_hours", "not_allowed", "Without a new token this can only be 0.");
  const previous = isNew ? known?.token : known?.previousToken;
  if (previous === undefined || hours === 0) return { secrets: { token }, previousTokenHours: 0 };
  return {
    secrets: { token, previousToken: previous },
    previousTokenHours: isNew ? (hours ?? usualPreviousHours) : null,
  };
}

function readBucket(
  mayDial: MayDial,
  wanted: NonNullable<AuditStreamSet["bucket"]>,
  before: Before,
): ChosenTarget {
  const old = before?.target.kind === "bucket" ? before.target : undefined;
  const name = wanted.name ?? old?.name;
  const keyId = wanted.access_key_id ?? old?.access_key_id;
  if (name === undefined) throw invalidField("bucket.name", "required", "Which bucket?");
  if (keyId === undefined)
    throw invalidField("bucket.access_key_id", "required", "The bucket needs an access key.");
  const region = wanted.region ?? old?.region ?? usualRegion;
  const kept = old && old.endpoint !== endpointOfAws(old.region) ? old.endpoint : undefined;
  const endpoint = readHost(wanted.endpoint ?? kept ?? endpointOfAws(region), mayDial);
  const isSameHost = old?.endpoint === endpoint;
  const known = isSameHost && old.access_key_id === keyId ? before?.secrets.secretAccessKey : undefined;
  const secretAccessKey = wanted.secret_access_key ?? known;
  if (secretAccessKey === undefined)
    throw invalidField("bucket.secret_access_key", "required", "This access key needs its secret.");
  const prefix = wanted.prefix ?? old?.prefix ?? "";
  return {
    target: { kind: "bucket", name, region, endpoint, prefix, access_key_id: keyId },
    secrets: { secretAccessKey },
    ...without,
    isSameHost,
  };
}

const endpointOfAws = (region: string) => `https://s3.${region}.amazonaws.com`;

/** `https://HOST[:PORT]`. */
function readHost(text: string, mayDial: MayDial): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.href !== `${url.origin}/`)
    throw invalidField("bucket.endpoint", "invalid", "The address must be of the form https://HOST[:PORT].");
  requirePublic(url.hostname.replace(/^\[|\]$/g, ""), { field: "bucket.endpoint", mayDial });
  return url.origin;
}

function readSyslog(
  mayDial: MayDial,
  { host, port }: NonNullable<AuditStreamSet["syslog"]>,
  before: Before,
): ChosenTarget {
  if (host.includes(":") && isIP(host) !== 6)
    throw invalidField(
      "syslog.host",
      "invalid",
      "A host name or an IP address; the port is a field of its own.",
    );
  requirePublic(host, { field: "syslog.host", mayDial });
  const old = before?.target.kind === "syslog" && before.target.host === host ? before.target : undefined;
  return {
    target: { kind: "syslog", host, port: port ?? old?.port ?? usualPort },
    secrets: {},
    ...without,
    isSameHost: old !== undefined,
  };
}

function requirePublic(host: string, { field, mayDial }: { field: string; mayDial: MayDial }): void {
  if (isIP(host) === 0 || mayDial(host)) return;
  throw invalidField(
    field,
    "not_allowed",
    "This address is not public. An administrator can allow it with FORGELINE_OUTBOUND_ALLOW.",
  );
}
