/** One webhook: how it is, what can be done with it, its deliveries and its settings. */
import { useNavigate, useParams } from "react-router";
import { webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useChange } from "../../ui/use-change.ts";
import { Deliveries } from "./deliveries.tsx";
import { HookState } from "./states.tsx";
import { useHookOwner, type HookOwner } from "./use-hook-owner.ts";
import { later, WebhookFields, webhookOf } from "./webhook-fields.tsx";

type Webhook = Schemas["Webhook"];
type HookEvent = Schemas["WebhookEvent"];

const lookEveryMs = 3_000;

export function WebhookPage() {
  const { id = "" } = useParams();
  const { at, path } = useHookOwner();
  const hook = $api.useQuery(
    "get",
    at("/{id}"),
    { params: { path: { ...path, id } } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return <QueryView query={hook}>{(found) => <ShownWebhook hook={found} />}</QueryView>;
}

function ShownWebhook({ hook }: { hook: Webhook }) {
  const { name, isArchived } = useHookOwner();
  return (
    <Page title={hook.url} within={name} actions={isArchived ? null : <Actions hook={hook} />}>
      <Standing hook={hook} />
      <Facts
        facts={[
          { name: text.state, value: <HookState hook={hook} /> },
          { name: text.events, value: hook.events.join(", ") },
          { name: text.waiting, value: formatCount(hook.waiting) },
          ...factsOfFailure(hook),
          ...(hook.previous_secret_until === null
            ? []
            : [{ name: text.oldSecret, value: <Time at={hook.previous_secret_until} /> }]),
        ]}
      />
      <Deliveries hook={hook} />
      {isArchived ? null : (
        <Section title={text.settings}>
          <SettingsForm key={hook.updated_at} hook={hook} />
        </Section>
      )}
    </Page>
  );
}

function factsOfFailure({ failing_since: since, next_attempt_at: next }: Webhook) {
  return [
    ...(since === null ? [] : [{ name: text.failingSince, value: <Time at={since} /> }]),
    ...(next === null ? [] : [{ name: text.nextAttempt, value: <Time at={next} /> }]),
  ];
}

function Standing({ hook }: { hook: Webhook }) {
  if (hook.disabled_reason !== null)
    return (
      <Notice tone="bad" title={text.offTitle}>
        {text.offReasons[hook.disabled_reason]}
      </Notice>
    );
  if (!hook.active || hook.next_attempt_at === null) return null;
  return (
    <Notice tone="warn" title={text.failingTitle}>
      {text.failingHint}
    </Notice>
  );
}

function SettingsForm({ hook }: { hook: Webhook }) {
  const { at, path } = useHookOwner();
  const save = useChange(
    (values: FormValues) =>
      api.PATCH(at("/{id}"), { params: { path: { ...path, id: hook.id } }, body: webhookOf(values) }),
    { said: text.saved },
  );
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <WebhookFields hook={hook} problems={fieldProblems(save.error)} />
    </Form>
  );
}

function Actions({ hook }: { hook: Webhook }) {
  const owner = useHookOwner();
  const navigate = useNavigate();
  const params = { path: { ...owner.path, id: hook.id } };
  return (
    <>
      {hook.active ? <Trials hook={hook} owner={owner} /> : <SwitchOn hook={hook} owner={owner} />}
      {hook.previous_secret_until === null ? null : <EndOldSecret hook={hook} owner={owner} />}
      {hook.active ? (
        <ConfirmButton
          label={text.switchOff}
          title={text.switchOffTitle}
          said={text.switchedOff}
          run={() => api.PATCH(owner.at("/{id}"), { params, body: { active: false } })}
        >
          <p>{text.switchOffHint}</p>
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle}
        said={text.removed}
        gone={() => [hook.id]}
        onDone={() => navigate(owner.home)}
        run={() => api.DELETE(owner.at("/{id}"), { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}

interface ActionProps {
  hook: Webhook;
  owner: HookOwner;
}

function SwitchOn({ hook: { id }, owner: { at, path } }: ActionProps) {
  const change = useAction(
    () => api.PATCH(at("/{id}"), { params: { path: { ...path, id } }, body: { active: true } }),
    { said: text.switchedOn },
  );
  return (
    <Button kind="primary" busy={change.isPending} onClick={change.start}>
      {text.switchOn}
    </Button>
  );
}

function EndOldSecret({ hook: { id }, owner: { at, path } }: ActionProps) {
  return (
    <ConfirmButton
      label={text.endOldSecret}
      title={text.endOldSecretTitle}
      said={text.saved}
      run={() =>
        api.PATCH(at("/{id}"), { params: { path: { ...path, id } }, body: { previous_secret_hours: 0 } })
      }
    >
      <p>{text.endOldSecretHint}</p>
    </ConfirmButton>
  );
}

function Trials({ hook: { id }, owner: { at, path } }: ActionProps) {
  const params = { path: { ...path, id } };
  const ping = useAction(() => api.POST(at("/{id}/ping"), { params }), { said: text.pinged });
  return (
    <>
      <Button busy={ping.isPending} onClick={ping.start}>
        {text.ping}
      </Button>
      <FormButton
        label={text.test}
        title={text.testTitle}
        submit={text.send}
        said={text.tested}
        run={(values) =>
          api.POST(at("/{id}/test"), { params, body: { event: values["event"] as HookEvent } })
        }
      >
        {() => (
          <SelectField name="event" label={text.testEvent}>
            {webhookEvents
              .filter((event) => !later.has(event))
              .map((event) => (
                <option key={event}>{event}</option>
              ))}
          </SelectField>
        )}
      </FormButton>
    </>
  );
}
