/** The fields of a mirror, in the form that sets it up and in the one that changes it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/mirrors.ts";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { wordsOf } from "../../ui/words.ts";

type Mirror = Schemas["Mirror"];

const usualRefs = "refs/heads/* refs/tags/*";

export function MirrorFields({ mirror, problems }: { mirror?: Mirror; problems: Record<string, string> }) {
  return (
    <>
      <TextField
        name="url"
        label={text.url}
        hint={text.urlHint}
        placeholder="https://git.example.com/ada/hello.git"
        required
        maxLength={2048}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={mirror?.url}
        problem={problems["url"]}
      />
      <TextField
        name="username"
        label={text.username}
        hint={text.usernameHint}
        maxLength={255}
        autoComplete="off"
        defaultValue={mirror?.username ?? ""}
        problem={problems["credentials"] ?? problems["credentials.username"]}
      />
      <TextField
        name="password"
        type="password"
        label={text.password}
        hint={mirror?.username ? text.keepPasswordHint : text.passwordHint}
        maxLength={4096}
        autoComplete="new-password"
        problem={problems["credentials.password"]}
      />
      {mirror?.public_key ? <SshFields mirror={mirror} problems={problems} /> : null}
      <TimeFields {...(mirror ? { mirror } : {})} problems={problems} />
      <TextField
        name="refs"
        label={text.refs}
        hint={text.refsHint}
        required
        autoComplete="off"
        spellCheck={false}
        defaultValue={mirror?.refs.join(" ") ?? usualRefs}
        problem={problems["refs"]}
      />
      <CheckField name="prune" label={text.prune} defaultChecked={mirror?.prune ?? true} />
      <CheckField name="lfs" label={text.lfs} hint={text.lfsHint} defaultChecked={mirror?.lfs ?? true} />
    </>
  );
}

function SshFields({ mirror, problems }: { mirror: Mirror; problems: Record<string, string> }) {
  return (
    <>
      <TextArea
        name="host_key"
        rows={2}
        label={text.hostKey}
        hint={text.hostKeyHint}
        spellCheck={false}
        maxLength={4096}
        defaultValue={mirror.host_key ?? ""}
        problem={problems["host_key"]}
      />
      <CheckField name="new_key" label={text.newKey} hint={text.newKeyHint} />
    </>
  );
}

function TimeFields({ mirror, problems }: { mirror?: Mirror; problems: Record<string, string> }) {
  return (
    <>
      <TextField
        name="interval"
        type="number"
        min={5}
        max={43_200}
        label={text.interval}
        hint={text.intervalHint}
        defaultValue={mirror ? (mirror.interval_minutes ?? "") : 60}
        problem={problems["interval_minutes"]}
      />
      <TextField
        name="cron"
        label={text.cron}
        hint={text.cronHint}
        placeholder="15 3 * * *"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        defaultValue={mirror?.cron ?? ""}
        problem={problems["cron"]}
      />
      <TextField
        name="timezone"
        label={text.timezone}
        hint={text.timezoneHint}
        maxLength={64}
        autoComplete="off"
        defaultValue={mirror?.timezone ?? ""}
        problem={problems["timezone"]}
      />
    </>
  );
}

/** What a preview needs to know. */
export function sourceOf(values: FormValues, mirror?: Mirror) {
  const { username = "", password = "", host_key: hostKey } = values;
  const isKept = password === "" && username === (mirror?.username ?? "");
  return {
    url: (values["url"] ?? "").trim(),
    refs: wordsOf(values["refs"]),
    prune: values["prune"] !== undefined,
    ...(isKept ? {} : { credentials: username === "" ? null : { username, password } }),
    ...(hostKey === undefined ? {} : { host_key: hostKey.trim() === "" ? null : hostKey.trim() }),
    ...(values["new_key"] === undefined ? {} : { ssh_key: "generate" as const }),
  };
}

/** As a body of the API. */
export function mirrorOf(values: FormValues, mirror?: Mirror) {
  const { cron = "", timezone = "", interval = "" } = values;
  const times =
    cron.trim() === ""
      ? { interval_minutes: interval === "" ? 60 : Number(interval) }
      : { cron: cron.trim(), ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }) };
  return {
    ...sourceOf(values, mirror),
    ...times,
    lfs: values["lfs"] !== undefined,
    enabled: mirror?.enabled ?? true,
  };
}
