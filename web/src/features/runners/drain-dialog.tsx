/** Takes a runner out of service, with a time until which its jobs may go on. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/runners.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { runnersKey } from "./use-runners.ts";

export function DrainDialog({ runner, onClose }: { runner: Schemas["Runner"]; onClose: () => void }) {
  const { id, name } = runner;
  const client = useQueryClient();
  const drain = useMutation({
    mutationFn: (body: Schemas["RunnerDrain"]) =>
      api.POST("/runners/{id}/drain", { params: { path: { id } }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [runnersKey] });
      showToast(text.drained(name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={text.drainTitle(name)}>
      <p>{text.drainHint}</p>
      <Form
        submit={text.drain}
        state={drain}
        onCancel={onClose}
        onSubmit={({ within }) => drain.mutate(within ? { within_minutes: Number(within) } : {})}
      >
        <TextField
          label={text.drainWithin}
          name="within"
          type="number"
          hint={text.drainWithinHint}
          problem={fieldProblems(drain.error)["within_minutes"]}
        />
      </Form>
    </Dialog>
  );
}
