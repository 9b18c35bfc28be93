/** One discussion: what it is about, and what was replied. */
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/discussions.ts";
import { text as items } from "../../text/work-items.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import { TeamTabs } from "../organizations/team-tabs.tsx";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { discussionReactions } from "../reactions/reaction-calls.ts";
import { EditText } from "../work-items/edit-text.tsx";
import { TextCard } from "../work-items/text-card.tsx";
import { TickableText } from "../work-items/tickable-text.tsx";
import { one, textPlace, useBoard, type Discussion } from "./board.ts";
import { DiscussionActions } from "./discussion-actions.tsx";
import styles from "./discussions.module.css";
import { Marks } from "./discussions-page.tsx";
import { Replies } from "./replies.tsx";

export function DiscussionPage({ number }: { number: number }) {
  const board = useBoard();
  const discussion = useQuery({
    // In text, as in its lists: once it is deleted, nothing of it is asked for again.
    queryKey: [one, board.org, board.team, String(number)],
    queryFn: async () => {
      const { data } = await api.GET(one, { params: { path: { ...board, number } } });
      if (!data) throw new Error("a discussion without content");
      return data;
    },
  });
  return <QueryView query={discussion}>{(found) => <Shown discussion={found} />}</QueryView>;
}

function Shown({ discussion }: { discussion: Discussion }) {
  const { title, number, viewer_may: may } = discussion;
  const board = useBoard();
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      title={`${title} #${number}`}
      within={`${board.org}/${board.team}`}
      heading={
        <>
          {title} <span className={styles.number}>#{number}</span>
        </>
      }
      actions={
        may.edit && !isEditing ? (
          <Button icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
            {text.editTitle}
          </Button>
        ) : null
      }
    >
      <TeamTabs {...board} />
      {isEditing ? <TitleForm discussion={discussion} onClose={() => setEditing(false)} /> : null}
      <div className={styles.standing}>
        <Marks discussion={discussion} />
        <span>{text.replies(discussion.replies_count)}</span>
        {discussion.issue ? <IssueLink issue={discussion.issue} /> : null}
        <DiscussionActions discussion={discussion} />
      </div>
      <Body discussion={discussion} />
      <Replies discussion={discussion} />
    </Page>
  );
}

function IssueLink({ issue }: { issue: NonNullable<Discussion["issue"]> }) {
  return (
    <span>
      {text.isIssue}{" "}
      <Link to={new URL(issue.web_url).pathname} data-inline>
        {issue.repository}#{issue.number}
      </Link>
    </span>
  );
}

function TitleForm({ discussion, onClose }: { discussion: Discussion; onClose: () => void }) {
  const path = { ...useBoard(), number: discussion.number };
  const [title, setTitle] = useState(discussion.title);
  const change = useChange(() => api.PATCH(one, { params: { path }, body: { title } }), {
    said: text.titleSaved,
    onDone: onClose,
  });
  return (
    <Form submit={text.saveTitle} state={change} onSubmit={() => change.mutate(undefined)} onCancel={onClose}>
      <div className={styles.wide}>
        <TextField
          label={text.titleField}
          required
          maxLength={255}
          autoComplete="off"
          autoFocus
          value={title}
          problem={fieldProblems(change.error)["title"]}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
    </Form>
  );
}

function Body({ discussion }: { discussion: Discussion }) {
  const { number, body, viewer_may: may } = discussion;
  const board = useBoard();
  const [isEditing, setEditing] = useState(false);
  const params = { path: { ...board, number } };
  const texts = {
    body,
    place: textPlace(board),
    newest: async () => (await api.GET(one, { params })).data?.body ?? "",
    save: (newBody: string, previous: string) =>
      api.PATCH(one, { params, body: { body: newBody, previous_body: previous } }),
  };
  const content =
    body.trim() === "" ? <em>{text.noText}</em> : <TickableText {...texts} mayEdit={may.edit} />;
  return (
    <TextCard
      author={discussion.author}
      verb={items.wrote}
      at={discussion.created_at}
      editedAt={discussion.edited_at}
      foot={
        <ReactionBar
          reactions={discussion.reactions}
          mayReact={may.reply}
          calls={discussionReactions({ ...board, number }, discussion.id)}
        />
      }
      actions={
        may.edit && !isEditing ? (
          <IconButton label={text.editText} onClick={() => setEditing(true)}>
            <Pencil aria-hidden />
          </IconButton>
        ) : null
      }
    >
      {isEditing ? (
        <EditText
          label={text.body}
          {...texts}
          draftKey={`${discussion.id} text`}
          said={text.textSaved}
          onClose={() => setEditing(false)}
        />
      ) : (
        content
      )}
    </TextCard>
  );
}
