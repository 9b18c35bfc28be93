/** How a fork is synced by itself. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/fork-syncs.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { TimeFields, timesOf } from "../mirrors/time-fields.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";

type Schedule = Schemas["ForkSchedule"];

const address = "/repos/{owner}/{repo}/sync/schedule";

export function ForkSchedule({ schedule }: { schedule: Schedule | null }) {
  const path = useRepositoryPath();
  const save = useChange(
    (values: FormValues) =>
      api.PUT(address, {
        params: { path },
        body: {
          ...timesOf(values),
          branch: values["branch"]?.trim() || null,
          enabled: values["enabled"] !== undefined,
        },
      }),
    { said: text.saved },
  );
  const problems = fieldProblems(save.error);
  return (
    <Section title={text.schedule} lead={text.scheduleLead}>
      {schedule ? <Standing schedule={schedule} /> : null}
      <Form submit={text.save} state={save} onSubmit={save.mutate}>
        <CheckField name="enabled" label={text.enabled} defaultChecked={schedule?.enabled ?? true} />
        <TextField
          name="branch"
          label={text.scheduledBranch}
          hint={text.scheduledBranchHint}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          defaultValue={schedule?.branch ?? ""}
          problem={problems["branch"]}
        />
        <TimeFields known={schedule ?? undefined} problems={problems} />
      </Form>
      {schedule ? (
        <div>
          <ConfirmButton
            label={text.unschedule}
            title={text.unscheduleTitle}
            kind="normal"
            said={text.unscheduled}
            run={() => api.DELETE(address, { params: { path } })}
          >
            <p>{text.unscheduleHint}</p>
          </ConfirmButton>
        </div>
      ) : null}
    </Section>
  );
}

function Standing({ schedule }: { schedule: Schedule }) {
  const { disabled_reason: reason, next_sync_at: next, failures } = schedule;
  return (
    <>
      {reason === null ? null : (
        <Notice tone="warn" title={text.pausedTitle}>
          {text.pausedHints[reason]}
        </Notice>
      )}
      <Facts
        facts={[
          { name: text.owner, value: schedule.owner ?? "–" },
          { name: text.nextSync, value: next === null ? "–" : <Time at={next} /> },
          ...(failures > 0 ? [{ name: text.failures, value: formatCount(failures) }] : []),
        ]}
      />
    </>
  );
}
