/** `forgeline audit stream`: where an audit log is sent as it grows. */
import { isIP } from "node:net";
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../connection/api.ts";
import { UsageError } from "../connection/settings.ts";
import { contextOf, type CliContext } from "../context.ts";
import { organizationOf, type InstanceOption } from "../options/audit-filters.ts";
import { parseCount } from "../options/count.ts";
import { omitUndefined, requireChanges } from "../options/omit-undefined.ts";
import { readAuthorityFile, readSecretFile } from "../options/read-file.ts";
import { renderFields } from "../output/fields.ts";

type Stream = Schemas["AuditStream"];
type StreamSet = Schemas["AuditStreamSet"];

const ofOrganization = "/orgs/{org}/audit-log/stream";
const ofInstance = "/admin/audit-log/stream";

interface SetOptions extends InstanceOption {
  to?: string;
  tokenFile?: string;
  previousTokenHours?: number;
  bucket?: string;
  endpoint?: string;
  region?: string;
  prefix?: string;
  accessKeyId?: string;
  secretKeyFile?: string;
  syslog?: string;
  authority?: string;
  fromSeq?: number;
}

export function addStreamCommands(audit: Command): void {
  const stream = audit.command("stream").description("Send an audit log to a target as it grows");
  const add = (name: string, description: string) =>
    stream.command(`${name} [org]`).description(description).addOption(instanceOption());
  add("view", "Show the target, and how far it is").action(view);
  add("set", "Send the log to a target, or change that; what is left out stays as it is")
    .option("--to <url>", "https address to which entries are posted")
    .option("--token-file <file>", "file with the token for the address")
    .option(
      "--previous-token-hours <hours>",
      "how long the token before is tried too (default 24)",
      parseCount,
    )
    .option("--bucket <name>", "bucket of S3, or of what speaks its protocol, that gets objects with entries")
    .option("--endpoint <url>", "https address of its service (default: that of AWS)")
    .option("--region <region>", "region of the bucket (default: us-east-1)")
    .option("--prefix <prefix>", "what names of objects begin with, such as audit/")
    .option("--access-key-id <id>", "access key for the bucket")
    .option("--secret-key-file <file>", "file with the secret of the access key")
    .option("--syslog <host[:port]>", "receiver of syslog over TLS (default port: 6514)")
    .option(
      "--authority <file>",
      "PEM of the authority that signed the target's certificate; none for the public ones",
    )
    .option(
      "--from-seq <number>",
      "begin with the entry with this seq (default: what is recorded from now on)",
      parseCount,
    )
    .action(set);
  add("pause", "Send nothing until it is resumed; nothing is lost").action(toggle(false));
  add("resume", "Send what waits; after a failure, without waiting for the next attempt").action(
    toggle(true),
  );
  add("test", "Send one entry that is not in the log, and say what came of it").action(test);
  add("delete", "Send the log no more").action(remove);
}

const instanceOption = () => new Option("--instance", "the instance's own log, for administrators");

async function view(name: string | undefined, options: InstanceOption, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  const stream = await valueOf(
    org === undefined ? api.GET(ofInstance) : api.GET(ofOrganization, { params: { path: { org } } }),
  );
  print(stream, () => renderFields(fieldsOf(stream)));
}

/** The first one sets it up, so only the organization itself can be missing. */
function put({ api }: CliContext, org: string | undefined, body: StreamSet): Promise<Stream> {
  return org === undefined
    ? valueOf(api.PUT(ofInstance, { body }))
    : valueOf(
        api.PUT(ofOrganization, { params: { path: { org } }, body }),
        `there is no organization ${org}, or you may not see it`,
      );
}

async function set(name: string | undefined, options: SetOptions, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  const context = await contextOf(command);
  const body = requireChanges(
    {
      url: options.to,
      token: options.tokenFile === undefined ? undefined : await readSecretFile(options.tokenFile),
      previous_token_hours: options.previousTokenHours,
      bucket: await bucketOf(options),
      syslog: options.syslog === undefined ? undefined : syslogOf(options.syslog),
      ca_certificate:
        options.authority === undefined ? undefined : await readAuthorityFile(options.authority),
      start_seq: options.fromSeq,
    },
    "--to, --token-file, --bucket, --syslog, --authority, --from-seq or another one of its options",
  );
  const before = await authorityOf(context, org);
  const stream = await put(context, org, body);
  context.print(stream, () => renderFields(fieldsOf(stream)));
  if (before && stream.ca_certificate === null && options.authority === undefined)
    process.stderr.write(`${authorityDropped}\n`);
}

const authorityDropped =
  "note: the authority of the target before does not count for this one; give --authority again if no public authority has signed its certificate";

/** Null also where the log is sent nowhere yet. */
async function authorityOf({ api }: CliContext, org: string | undefined): Promise<string | null> {
  const { data } =
    org === undefined
      ? await api.GET(ofInstance)
      : await api.GET(ofOrganization, { params: { path: { org } } });
  return data?.ca_certificate ?? null;
}

async function bucketOf(options: SetOptions): Promise<StreamSet["bucket"]> {
  const { bucket: name, accessKeyId, endpoint, region, prefix, secretKeyFile } = options;
  const bucket = omitUndefined({
    name,
    endpoint,
    region,
    prefix,
    access_key_id: accessKeyId,
    secret_access_key: secretKeyFile === undefined ? undefined : await readSecretFile(secretKeyFile),
  });
  return Object.keys(bucket).length === 0 ? undefined : bucket;
}

/** An IPv6 address with a port stands in brackets. */
function syslogOf(text: string): NonNullable<StreamSet["syslog"]> {
  if (isIP(text) === 6) return { host: text };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new UsageError(`"${text}" is not of the form HOST or HOST:PORT`);
  return { host, ...(port === undefined ? {} : { port: Number(port) }) };
}

const toggle =
  (enabled: boolean) =>
  async (name: string | undefined, options: InstanceOption, command: Command): Promise<void> => {
    const org = organizationOf(name, options);
    const context = await contextOf(command);
    const stream = await put(context, org, { enabled });
    context.print(stream, () => (enabled ? `resumed; ${stream.lag} entries wait` : "paused"));
  };

async function test(name: string | undefined, options: InstanceOption, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  const tried = await valueOf(
    org === undefined
      ? api.POST(`${ofInstance}/test`)
      : api.POST(`${ofOrganization}/test`, { params: { path: { org } } }),
  );
  print(tried, () =>
    tried.accepted ? `accepted after ${tried.duration_ms} ms` : `NOT ACCEPTED: ${tried.error}`,
  );
  if (!tried.accepted) process.exitCode = 1;
}

async function remove(name: string | undefined, options: InstanceOption, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  await valueOf(
    org === undefined ? api.DELETE(ofInstance) : api.DELETE(ofOrganization, { params: { path: { org } } }),
  );
  print({ deleted: true }, () => "the log is sent no more");
}

function fieldsOf(stream: Stream): [string, string][] {
  return [
    ["target", targetOf(stream)],
    ["status", stream.status],
    [
      "last sent",
      stream.last_sent_seq === 0 ? "nothing" : `${stream.last_sent_seq} at ${stream.last_sent_at ?? "?"}`,
    ],
    ["waiting", stream.lag === 0 ? "0" : `${stream.lag}, the oldest for ${stream.lag_seconds} s`],
    ["last error", stream.last_error ?? "none"],
    ["failing since", stream.failing_since ?? "not failing"],
    ["next attempt", stream.next_attempt_at ?? "at once"],
    ...(stream.url === null
      ? []
      : [["old token until", stream.previous_token_until ?? "none"] satisfies [string, string]]),
  ];
}

function targetOf({ url, bucket, syslog }: Stream): string {
  if (bucket)
    return `bucket ${bucket.name} at ${bucket.endpoint}${bucket.prefix === "" ? "" : `, ${bucket.prefix}`}`;
  return syslog ? `syslog ${syslog.host} port ${syslog.port}` : (url ?? "");
}
