/** Makes a registration token, and shows it once, in the command that uses it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/runners.ts";
import { text as general } from "../../text/general.ts";
import { Button } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { GroupSelect } from "./group-select.tsx";
import { readCaSum, registerCommand, type RegisterOptions } from "./register-command.ts";
import { WaitForRunner } from "./wait-for-runner.tsx";
import { runnersKey, type RunnersOf } from "./use-runners.ts";

const maxMinutes = 60;

interface TokenFormProps {
  of: RunnersOf;
  create: ReturnType<typeof useCreateToken>;
  onCancel: () => void;
  onSubmit: (options: RegisterOptions, limits: Schemas["RegistrationTokenCreate"]) => void;
}

export function RegisterDialog({ of, onClose }: { of: RunnersOf; onClose: () => void }) {
  const client = useQueryClient();
  const create = useCreateToken(of);
  const token = create.data?.data;
  const [options, setOptions] = useState<RegisterOptions>({
    oneJob: false,
    name: "",
    labels: "",
    capacity: "",
  });
  const close = () => {
    // By now the new runner may be there.
    void client.invalidateQueries({ queryKey: [runnersKey] });
    onClose();
  };
  return (
    // What is shown once is not lost by a click beside it.
    <Dialog
      open
      onClose={close}
      title={text.register}
      lead={text.registerLead}
      wide
      insistent={Boolean(token)}
    >
      {token ? (
        <Command of={of} token={token} options={options} onDone={close} />
      ) : (
        <TokenForm
          of={of}
          create={create}
          onCancel={onClose}
          onSubmit={(chosen, limits) => {
            setOptions(chosen);
            create.mutate(limits);
          }}
        />
      )}
    </Dialog>
  );
}

function TokenForm({ of, create, onCancel, onSubmit }: TokenFormProps) {
  const problems = fieldProblems(create.error);
  return (
    <Form
      submit={text.makeCommand}
      state={create}
      onCancel={onCancel}
      onSubmit={({ uses, expires, group, name = "", labels = "", capacity = "", "one-job": oneJob }) =>
        onSubmit(
          { oneJob: oneJob !== undefined, name: name.trim(), labels: commaSeparated(labels), capacity },
          { uses: Number(uses), expires_in_minutes: Number(expires), ...(group ? { group } : {}) },
        )
      }
    >
      <TextField label={text.name} hint={text.newNameHint} name="name" maxLength={100} />
      <TextField
        label={text.labelsField}
        hint={text.newLabelsHint}
        name="labels"
        pattern={labelsPattern}
        title={text.labelsHint}
      />
      <TextField
        label={text.capacity}
        hint={text.newCapacityHint}
        name="capacity"
        type="number"
        min={1}
        max={1000}
      />
      <GroupSelect of={of} problem={problems["group"]} />
      <CheckField name="one-job" label={text.oneJob} hint={text.oneJobHint} />
      <TextField
        label={text.uses}
        hint={text.usesHint}
        name="uses"
        problem={problems["uses"]}
        type="number"
        min={1}
        max={100}
        defaultValue={1}
        required
      />
      <TextField
        label={text.expires}
        name="expires"
        problem={problems["expires_in_minutes"]}
        type="number"
        min={1}
        max={maxMinutes}
        defaultValue={maxMinutes}
        required
      />
    </Form>
  );
}

/** What `RunnerLabel` of the server takes, several by commas or blanks. */
const label = "!?[A-Za-z0-9][A-Za-z0-9._\\-]*(?:=[A-Za-z0-9._\\/:\\-]+)?";
const labelsPattern = `[\\s,]*(?:${label}[\\s,]+)*(?:${label})?`;

function commaSeparated(labels: string): string {
  return labels
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(",");
}

function useCreateToken(of: RunnersOf) {
  return useMutation({
    mutationFn: (body: Schemas["RegistrationTokenCreate"]) => {
      if (of === null) return api.POST("/runners/registration-tokens", { body });
      if ("org" in of)
        return api.POST("/orgs/{org}/runners/registration-tokens", { params: { path: of }, body });
      return api.POST("/repos/{owner}/{repo}/runners/registration-tokens", { params: { path: of }, body });
    },
  });
}

interface CommandProps {
  of: RunnersOf;
  token: Schemas["RegistrationToken"];
  options: RegisterOptions;
  onDone: () => void;
}

function Command({ of, token, options, onDone }: CommandProps) {
  const authority = useQuery({ queryKey: ["authority"], queryFn: readCaSum, staleTime: Infinity });
  const { origin } = new URL(token.web_url);
  return (
    <>
      <Notice tone="warn" title={general.shownOnce}>
        {text.expiresAt}
        <Time at={token.expires_at} />. {text.reachable(origin)}
      </Notice>
      {authority.isPending ? (
        <Skeleton lines={2} />
      ) : (
        <CopyBlock
          label={text.command}
          value={registerCommand({ origin, token: token.token, caSum: authority.data ?? null, options })}
        />
      )}
      <p>{text.commandHint}</p>
      <WaitForRunner of={of} />
      <div>
        <Button kind="primary" onClick={onDone}>
          {text.done}
        </Button>
      </div>
    </>
  );
}
