/** The fields of a push mirror, in the form that adds it and in the one that changes it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/push-mirrors.ts";
import { CheckField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { AddressField, LoginFields, RefsField, remoteOf } from "../mirrors/remote-fields.tsx";
import { TimeFields, timesOf } from "../mirrors/time-fields.tsx";

type PushMirror = Schemas["PushMirror"];

export function PushMirrorFields({
  mirror,
  problems,
}: {
  mirror?: PushMirror;
  problems: Record<string, string>;
}) {
  return (
    <>
      <AddressField url={mirror?.url} label={text.url} hint={text.urlHint} problems={problems} />
      <LoginFields known={mirror} problems={problems} hint={text.usernameHint} />
      <CheckField name="on_push" label={text.onPush} defaultChecked={mirror?.on_push ?? true} />
      <TimeFields known={mirror} problems={problems} />
      <RefsField known={mirror} problems={problems} />
      <CheckField
        name="prune"
        label={text.prune}
        hint={text.pruneHint}
        defaultChecked={mirror?.prune ?? true}
      />
      <CheckField
        name="force"
        label={text.force}
        hint={text.forceHint}
        defaultChecked={mirror?.force ?? false}
      />
      <CheckField name="lfs" label={text.lfs} hint={text.lfsHint} defaultChecked={mirror?.lfs ?? true} />
    </>
  );
}

/** As a body of the API. */
export function pushMirrorOf(values: FormValues, mirror?: PushMirror) {
  const isOn = (name: string) => values[name] !== undefined;
  return {
    ...remoteOf(values, mirror),
    ...timesOf(values),
    prune: isOn("prune"),
    force: isOn("force"),
    on_push: isOn("on_push"),
    lfs: isOn("lfs"),
  };
}
