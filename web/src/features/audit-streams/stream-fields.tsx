/** The fields of a stream, in the form that begins one and in the one that changes it: those of the target that is chosen. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit-streams.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";

type Stream = Schemas["AuditStream"];
type Kind = keyof typeof text.kinds;

interface Fields {
  stream: Stream | undefined;
  problems: Record<string, string>;
}

export function StreamFields({ stream, problems }: Fields) {
  const [kind, setKind] = useState<Kind>(kindOf(stream));
  const isSame = stream !== undefined && kind === kindOf(stream);
  const of = { stream: isSame ? stream : undefined, problems };
  return (
    <>
      <SelectField
        name="kind"
        label={text.target}
        value={kind}
        onChange={({ currentTarget }) => setKind(kindNamed(currentTarget.value))}
      >
        {Object.entries(text.kinds).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {kind === "https" ? <AddressFields {...of} /> : null}
      {kind === "bucket" ? <BucketFields {...of} /> : null}
      {kind === "syslog" ? <SyslogFields {...of} /> : null}
      <TextArea
        name="authority"
        rows={2}
        label={text.authority}
        hint={text.authorityHint}
        spellCheck={false}
        maxLength={32_768}
        defaultValue={stream?.ca_certificate ?? ""}
        problem={problems["ca_certificate"]}
      />
      <TextField
        name="start"
        type="number"
        min={1}
        label={text.startSeq}
        hint={stream ? text.restartHint : text.startHint}
        problem={problems["start_seq"]}
      />
    </>
  );
}

function AddressFields({ stream, problems }: Fields) {
  return (
    <>
      <TextField
        name="url"
        type="url"
        label={text.url}
        hint={text.urlHint}
        placeholder="https://siem.example.com/forgeline"
        required
        maxLength={2048}
        autoComplete="off"
        defaultValue={stream?.url ?? ""}
        problem={problems["url"]}
      />
      <TextField
        name="token"
        type="password"
        label={text.token}
        hint={stream ? text.newTokenHint : text.tokenHint}
        maxLength={1024}
        autoComplete="new-password"
        problem={problems["token"]}
      />
    </>
  );
}

function BucketFields({ stream, problems }: Fields) {
  const bucket = stream?.bucket ? { ...stream.bucket, endpoint: shownEndpoint(stream.bucket) } : undefined;
  const rows = [
    { name: "name", label: text.bucket, required: true },
    { name: "region", label: text.region, value: "us-east-1" },
    { name: "endpoint", label: text.endpoint, hint: text.endpointHint },
    { name: "prefix", label: text.prefix, hint: text.prefixHint },
    { name: "access_key_id", label: text.accessKeyId, required: true },
  ] as const;
  return (
    <>
      {rows.map((row) => (
        <TextField
          key={row.name}
          name={row.name}
          label={row.label}
          hint={"hint" in row ? row.hint : undefined}
          required={"required" in row}
          autoComplete="off"
          defaultValue={bucket?.[row.name] ?? ("value" in row ? row.value : "")}
          problem={problems[`bucket.${row.name}`]}
        />
      ))}
      <TextField
        name="secret_access_key"
        type="password"
        label={text.secretAccessKey}
        hint={stream ? text.newSecretHint : undefined}
        maxLength={1024}
        autoComplete="new-password"
        problem={problems["bucket.secret_access_key"]}
      />
    </>
  );
}

/** That of AWS follows the region by itself. */
function shownEndpoint({ endpoint, region }: NonNullable<Stream["bucket"]>): string {
  return endpoint === `https://s3.${region}.amazonaws.com` ? "" : endpoint;
}

function SyslogFields({ stream, problems }: Fields) {
  return (
    <>
      <TextField
        name="host"
        label={text.host}
        required
        maxLength={253}
        autoComplete="off"
        defaultValue={stream?.syslog?.host ?? ""}
        problem={problems["syslog.host"]}
      />
      <TextField
        name="port"
        type="number"
        min={1}
        max={65_535}
        label={text.port}
        defaultValue={stream?.syslog?.port ?? 6514}
        problem={problems["syslog.port"]}
      />
    </>
  );
}

function kindOf(stream: Stream | undefined): Kind {
  if (stream?.bucket) return "bucket";
  return stream?.syslog ? "syslog" : "https";
}

function kindNamed(name: string): Kind {
  return (["bucket", "syslog"] as const).find((each) => each === name) ?? "https";
}

/** As a body of the API; secrets only where one was typed. */
export function streamOf(values: FormValues): Schemas["AuditStreamSet"] {
  const of = (name: string) => values[name]?.trim() ?? "";
  const given = <Name extends string>(name: Name, as: string = name) =>
    of(as) === "" ? {} : ({ [name]: of(as) } as Record<Name, string>);
  const targets = {
    https: () => ({ url: of("url"), ...given("token") }),
    bucket: () => ({
      bucket: {
        name: of("name"),
        prefix: of("prefix"),
        access_key_id: of("access_key_id"),
        ...given("region"),
        ...given("endpoint"),
        ...given("secret_access_key"),
      },
    }),
    syslog: () => ({ syslog: { host: of("host"), port: Number(of("port") || 6514) } }),
  };
  return {
    ...targets[kindNamed(of("kind"))](),
    ca_certificate: of("authority") === "" ? null : (values["authority"] ?? null),
    ...(of("start") === "" ? {} : { start_seq: Number(of("start")) }),
  };
}
