/** Rules, shared address and times of its mails, saved together. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/team-routing.ts";
import { Button } from "../../ui/button.tsx";
import { FieldGroup, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useChange } from "../../ui/use-change.ts";
import { mailTimesOf } from "../notifications/mail-times.ts";
import { QuietFields, TimeFields } from "../notifications/settings-times.tsx";
import { RuleFields, ruleOf, useRules } from "./rule-fields.tsx";

export interface RoutingFormProps {
  org: string;
  team: string;
  known: Schemas["TeamRouting"];
}

const url = "/orgs/{org}/teams/{team}/routing";

export function RoutingForm(props: RoutingFormProps) {
  const { org, team, known } = props;
  const rules = useRules(known.rules);
  const bodyOf = (values: FormValues) => {
    const address = (values["address"] ?? "").trim();
    return {
      rules: rules.shown.map(({ key }) => ruleOf(values, key)),
      address: address === "" ? null : address,
      ...mailTimesOf(values),
    };
  };
  const change = useChange(
    (values: FormValues) => api.PUT(url, { params: { path: { org, team } }, body: bodyOf(values) }),
    { said: text.saved },
  );
  const problems = fieldProblems(change.error);
  return (
    <Form submit={text.save} state={change} onSubmit={(values) => change.mutate(values)}>
      <RuleFields {...{ org, rules, problems }} />
      <FieldGroup legend={text.times}>
        <TextField
          name="address"
          type="email"
          label={text.address}
          hint={text.addressHint}
          maxLength={254}
          autoComplete="off"
          defaultValue={known.address?.email}
          problem={problems["address"]}
        />
        <AddressState {...props} />
      </FieldGroup>
      <TimeFields known={known} problems={problems} />
      <QuietFields known={known} problems={problems} />
    </Form>
  );
}

function AddressState({ org, team, known: { address } }: RoutingFormProps) {
  const resend = useAction(() => resendTo({ org, team }), { said: text.resent });
  if (!address) return null;
  return (
    <div>
      {text.states[address.state]}{" "}
      {address.state === "confirmed" ? null : (
        <Button busy={resend.isPending} onClick={resend.start}>
          {text.resend}
        </Button>
      )}
    </div>
  );
}

/** With what is chosen now: what this page shows may be older than what somebody else saved. */
async function resendTo(path: { org: string; team: string }) {
  const params = { path };
  const now = await api.GET(url, { params });
  if (!now.data) return now;
  const { updated_at: _at, address, ...rest } = now.data;
  const body = { ...rest, address: address?.email ?? null, resend_confirmation: true };
  return api.PUT(url, { params, body });
}
