/** One issue: what it is about, what was said and done, and what it is sorted by. */
import { useState } from "react";
import { useParams } from "react-router";
import { $api } from "../../api/client.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { CommentForm, NoCommenting } from "../work-items/comment-form.tsx";
import { Conversation } from "../work-items/conversation.tsx";
import { withQuote } from "../work-items/quote.ts";
import { SideColumn } from "../work-items/side-column.tsx";
import { sideBody } from "../work-items/side-values.ts";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { CloseButtons } from "./close-buttons.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { IssueBody } from "./issue-body.tsx";
import { EditTitleButton, IssueHeading, IssueStanding, TitleForm } from "./issue-head.tsx";
import { useIssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

const maxNumber = 2_147_483_647;

export function IssuePage() {
  const { number: written = "" } = useParams();
  const number = Number(written);
  if (!/^[1-9]\d*$/.test(written) || number > maxNumber) return <NotFound />;
  // What was typed belongs to this issue.
  return <NumberedIssue key={number} number={number} />;
}

function NumberedIssue({ number }: { number: number }) {
  const path = { ...useRepositoryPath(), number };
  const issue = $api.useQuery("get", "/repos/{owner}/{repo}/issues/{number}", { params: { path } });
  return <QueryView query={issue}>{(found) => <Shown issue={found} />}</QueryView>;
}

function Shown({ issue }: { issue: Issue }) {
  const { full_name: fullName, archived } = useRepository();
  const { number, author, viewer_may: may } = issue;
  const calls = useIssueCalls(number);
  const [isEditingTitle, setEditingTitle] = useState(false);
  const [comment, setComment] = useState("");
  const place = { repository: { full_name: fullName }, references: true };
  return (
    <Page
      title={`${issue.title} #${number}`}
      within={fullName}
      heading={<IssueHeading issue={issue} />}
      actions={may.edit && !isEditingTitle ? <EditTitleButton onEdit={() => setEditingTitle(true)} /> : null}
    >
      {isEditingTitle ? (
        <TitleForm title={issue.title} calls={calls} onClose={() => setEditingTitle(false)} />
      ) : null}
      <IssueStanding issue={issue} />
      <TwoColumns
        side={
          <SideColumn
            values={issue}
            mayTriage={may.triage}
            isOpen={issue.state === "open"}
            people={author ? [author] : []}
            save={(change) => calls.change(sideBody(change))}
          >
            <IssueActions issue={issue} />
          </SideColumn>
        }
      >
        <IssueBody issue={issue} calls={calls} place={place} />
        <Conversation
          calls={calls}
          place={place}
          itemAuthor={author}
          onQuote={may.comment ? (quoted) => setComment(withQuote(comment, quoted)) : undefined}
        />
        {may.comment ? (
          <CommentForm
            calls={calls}
            place={place}
            value={comment}
            onChange={setComment}
            aside={
              may.close ? (
                <CloseButtons {...{ issue, calls, comment }} onCommented={() => setComment("")} />
              ) : null
            }
          />
        ) : (
          <>
            {archived ? null : <NoCommenting locked={issue.locked} />}
            {may.close ? (
              <CloseButtons {...{ issue, calls }} comment="" onCommented={() => undefined} />
            ) : null}
          </>
        )}
      </TwoColumns>
    </Page>
  );
}
