/** The fields of a mirror, in the form that sets it up and in the one that changes it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/mirrors.ts";
import { CheckField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { AddressField, LoginFields, RefsField, remoteOf } from "./remote-fields.tsx";
import { TimeFields, timesOf } from "./time-fields.tsx";

type Mirror = Schemas["Mirror"];

export function MirrorFields({ mirror, problems }: { mirror?: Mirror; problems: Record<string, string> }) {
  return (
    <>
      <AddressField url={mirror?.url} label={text.url} hint={text.urlHint} problems={problems} />
      <LoginFields known={mirror} problems={problems} hint={text.usernameHint} />
      <TimeFields known={mirror} problems={problems} />
      <RefsField known={mirror} problems={problems} />
      <CheckField name="prune" label={text.prune} defaultChecked={mirror?.prune ?? true} />
      <CheckField name="lfs" label={text.lfs} hint={text.lfsHint} defaultChecked={mirror?.lfs ?? true} />
    </>
  );
}

/** What a preview needs to know. */
export function sourceOf(values: FormValues, mirror?: Mirror) {
  return { ...remoteOf(values, mirror), prune: values["prune"] !== undefined };
}

/** As a body of the API. */
export function mirrorOf(values: FormValues, mirror?: Mirror) {
  return {
    ...sourceOf(values, mirror),
    ...timesOf(values),
    lfs: values["lfs"] !== undefined,
    enabled: mirror?.enabled ?? true,
  };
}
