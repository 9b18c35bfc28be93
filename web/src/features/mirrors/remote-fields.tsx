/** Fields about the other side of a mirror of either direction, and what they mean for the API. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/mirrors.ts";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { wordsOf } from "../../ui/words.ts";

/** What is set already. */
export type KnownRemote = Pick<
  Schemas["Mirror"],
  "username" | "public_key" | "host_key" | "interval_minutes" | "cron" | "timezone" | "refs"
>;

interface FieldsProps {
  known?: KnownRemote | undefined;
  problems: Record<string, string>;
}

const usualRefs = "refs/heads/* refs/tags/*";

export function AddressField({
  url,
  label,
  hint,
  problems,
}: { url: string | undefined; label: string; hint: string } & Pick<FieldsProps, "problems">) {
  return (
    <TextField
      name="url"
      label={label}
      hint={hint}
      placeholder="https://git.example.com/ada/hello.git"
      required
      maxLength={2048}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      defaultValue={url}
      problem={problems["url"]}
    />
  );
}

export function LoginFields({ known, problems, hint }: FieldsProps & { hint: string }) {
  return (
    <>
      <TextField
        name="username"
        label={text.username}
        hint={hint}
        maxLength={255}
        autoComplete="off"
        defaultValue={known?.username ?? ""}
        problem={problems["credentials"] ?? problems["credentials.username"]}
      />
      <TextField
        name="password"
        type="password"
        label={text.password}
        hint={known?.username ? text.keepPasswordHint : text.passwordHint}
        maxLength={4096}
        autoComplete="new-password"
        problem={problems["credentials.password"]}
      />
      {known?.public_key ? <SshFields known={known} problems={problems} /> : null}
    </>
  );
}

function SshFields({ known, problems }: FieldsProps) {
  return (
    <>
      <TextArea
        name="host_key"
        rows={2}
        label={text.hostKey}
        hint={text.hostKeyHint}
        spellCheck={false}
        maxLength={4096}
        defaultValue={known?.host_key ?? ""}
        problem={problems["host_key"]}
      />
      <CheckField name="new_key" label={text.newKey} hint={text.newKeyHint} />
    </>
  );
}

export function RefsField({ known, problems }: FieldsProps) {
  return (
    <TextField
      name="refs"
      label={text.refs}
      hint={text.refsHint}
      required
      autoComplete="off"
      spellCheck={false}
      defaultValue={known?.refs.join(" ") ?? usualRefs}
      problem={problems["refs"]}
    />
  );
}

/** Address, refs and login, as parts of a body. */
export function remoteOf(values: FormValues, known?: KnownRemote) {
  const { username = "", password = "", host_key: hostKey } = values;
  const isKept = password === "" && username === (known?.username ?? "");
  return {
    url: (values["url"] ?? "").trim(),
    refs: wordsOf(values["refs"]),
    ...(isKept ? {} : { credentials: username === "" ? null : { username, password } }),
    ...(hostKey === undefined ? {} : { host_key: hostKey.trim() === "" ? null : hostKey.trim() }),
    ...(values["new_key"] === undefined ? {} : { ssh_key: "generate" as const }),
  };
}
