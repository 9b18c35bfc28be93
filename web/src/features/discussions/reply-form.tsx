/** A field for a reply to a discussion, or to one of its replies. */
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/discussions.ts";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { one, textPlace, useBoard, type Discussion } from "./board.ts";

export interface ReplyFormProps {
  discussion: Discussion;
  label: string;
  /** Id of the reply that is answered; null: the discussion itself. */
  answered: string | null;
  onClose?: () => void;
}

export function ReplyForm({ discussion, label, answered, onClose }: ReplyFormProps) {
  const board = useBoard();
  const draftKey = `${discussion.id} ${answered ?? "reply"}`;
  const [body, setBody] = useState("");
  const close = () => {
    forgetDraft(draftKey);
    setBody("");
    onClose?.();
  };
  const change = usePost(discussion, answered, close);
  return (
    <Form
      submit={text.reply}
      state={change}
      disabled={body.trim() === ""}
      onSubmit={() => {
        if (body.trim() !== "") change.mutate(body);
      }}
      onCancel={onClose && close}
    >
      <MarkdownField
        {...{ label, draftKey }}
        value={body}
        onChange={setBody}
        place={textPlace(board)}
        rows={answered === null ? 5 : 3}
      />
    </Form>
  );
}

/** Afterwards the address leads to the new reply, so that the page goes there. */
function usePost(discussion: Discussion, answered: string | null, onDone: () => void) {
  const path = { ...useBoard(), number: discussion.number };
  const navigate = useNavigate();
  return useChange(
    async (body: string) =>
      (await api.POST(`${one}/replies`, { params: { path }, body: { body, reply_to: answered } })).data,
    {
      onDone: async (reply) => {
        onDone();
        if (reply) await navigate({ hash: reply.id }, { replace: true, preventScrollReset: true });
      },
    },
  );
}
