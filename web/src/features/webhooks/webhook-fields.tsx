/** The fields of a webhook, in the form that adds one and in the one that changes it. */
import { webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/webhooks.ts";
import { CheckField, FieldGroup, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";

type Webhook = Schemas["Webhook"];

/** Nothing of the kind exists here yet: shown only where it was chosen over the API. */
export const later = new Set<string>(["package"]);

export function WebhookFields({ hook, problems }: { hook?: Webhook; problems: Record<string, string> }) {
  const chosen = new Set<string>(hook?.events ?? ["push"]);
  return (
    <>
      <TextField
        name="url"
        type="url"
        label={text.url}
        hint={text.urlHint}
        placeholder="https://ci.example.com/forgeline"
        required
        maxLength={2048}
        autoComplete="off"
        defaultValue={hook?.url}
        problem={problems["url"]}
      />
      <FieldGroup legend={text.events} problem={problems["events"]}>
        {webhookEvents
          .filter((event) => !later.has(event) || chosen.has(event))
          .map((event) => (
            <CheckField
              key={event}
              name={`event-${event}`}
              label={<code>{event}</code>}
              hint={later.has(event) ? text.later : undefined}
              defaultChecked={chosen.has(event)}
            />
          ))}
      </FieldGroup>
      <TextField
        name="secret"
        type="password"
        label={text.secret}
        hint={hook ? text.newSecretHint : text.secretHint}
        maxLength={256}
        autoComplete="new-password"
        problem={problems["secret"]}
      />
      <CheckField
        name="ordered"
        label={text.ordered}
        hint={text.orderedHint}
        defaultChecked={hook?.ordered}
      />
      <TextArea
        name="authority"
        rows={2}
        label={text.authority}
        hint={text.authorityHint}
        spellCheck={false}
        maxLength={32_768}
        defaultValue={hook?.ca_certificate ?? ""}
        problem={problems["ca_certificate"]}
      />
    </>
  );
}

/** As a body of the API; `secret` only where one was typed. */
export function webhookOf(values: FormValues) {
  const { secret = "", authority = "" } = values;
  return {
    url: (values["url"] ?? "").trim(),
    events: webhookEvents.filter((event) => values[`event-${event}`] !== undefined),
    ordered: values["ordered"] !== undefined,
    ca_certificate: authority.trim() === "" ? null : authority,
    ...(secret === "" ? {} : { secret }),
  };
}
