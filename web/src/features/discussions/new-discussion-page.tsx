/** Starts a discussion. What was typed is kept while the tab is open. */
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/discussions.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft, keepDraft, readDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { TeamTabs } from "../organizations/team-tabs.tsx";
import { all, boardAddress, textPlace, useBoard } from "./board.ts";
import styles from "./discussions.module.css";
import { useMayWrite } from "./use-may-write.ts";

export function NewDiscussionPage() {
  const board = useBoard();
  const mayWrite = useMayWrite(board);
  return (
    <Page title={text.new} within={`${board.org}/${board.team}`}>
      <TeamTabs {...board} />
      {mayWrite === true ? <NewDiscussion /> : null}
      {mayWrite === false ? <Notice>{text.mayNot}</Notice> : null}
    </Page>
  );
}

function NewDiscussion() {
  const board = useBoard();
  const key = `${board.org}/${board.team}/new-discussion`;
  const titleKey = `${key} title`;
  const [title, setTitle] = useState(() => readDraft(titleKey) ?? "");
  const [body, setBody] = useState("");
  useEffect(() => keepDraft(titleKey, title), [titleKey, title]);
  const create = useCreate(() => {
    forgetDraft(key);
    forgetDraft(titleKey);
  });
  const problems = fieldProblems(create.error);
  return (
    <Form
      submit={text.start}
      state={create}
      onSubmit={(values) => create.mutate({ title, body, private: values["private"] !== undefined })}
    >
      <div className={styles.wide}>
        <TextField
          label={text.titleField}
          required
          maxLength={255}
          autoComplete="off"
          autoFocus
          value={title}
          problem={problems["title"]}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <MarkdownField
        label={text.body}
        value={body}
        onChange={setBody}
        place={textPlace(board)}
        draftKey={key}
        problem={problems["body"]}
        rows={12}
      />
      <CheckField name="private" label={text.privateField} hint={text.privateHint} />
    </Form>
  );
}

function useCreate(forget: () => void) {
  const board = useBoard();
  const navigate = useNavigate();
  return useChange(
    async (body: { title: string; body: string; private: boolean }) =>
      (await api.POST(all, { params: { path: board }, body })).data,
    {
      onDone: async (made) => {
        forget();
        if (made) await navigate(`${boardAddress(board)}/${made.number}`);
      },
    },
  );
}
