/** Makes a registration token, and shows it once, in the command that uses it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/runners.ts";
import { text as general } from "../../text/general.ts";
import { Button } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { readCaSum, registerCommand } from "./register-command.ts";
import { runnersKey, type RunnersOf } from "./use-runners.ts";

const longestMinutes = 60;

export function RegisterDialog({ of, onClose }: { of: RunnersOf; onClose: () => void }) {
  const client = useQueryClient();
  const create = useCreateToken(of);
  const problems = fieldProblems(create.error);
  const token = create.data?.data;
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
        <Command token={token} onDone={close} />
      ) : (
        <Form
          submit={text.makeCommand}
          state={create}
          onCancel={onClose}
          onSubmit={({ uses, expires }) =>
            create.mutate({ uses: Number(uses), expires_in_minutes: Number(expires) })
          }
        >
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
            max={longestMinutes}
            defaultValue={longestMinutes}
            required
          />
        </Form>
      )}
    </Dialog>
  );
}

function useCreateToken(of: RunnersOf) {
  return useMutation({
    mutationFn: (body: Schemas["RegistrationTokenCreate"]) =>
      of
        ? api.POST("/repos/{owner}/{repo}/runners/registration-tokens", { params: { path: of }, body })
        : api.POST("/runners/registration-tokens", { body }),
  });
}

function Command({ token, onDone }: { token: Schemas["RegistrationToken"]; onDone: () => void }) {
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
          value={registerCommand({ origin, token: token.token, caSum: authority.data ?? null })}
        />
      )}
      <p>{text.commandHint}</p>
      <div>
        <Button kind="primary" onClick={onDone}>
          {text.done}
        </Button>
      </div>
    </>
  );
}
