/** One issue: what it is about, what was said and done, and what it is sorted by. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Navigate, useLocation, useParams } from "react-router";
import { NotFound } from "../../ui/not-found.tsx";
import { text } from "../../text/issues.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ItemSubscription } from "../notifications/item-subscription.tsx";
import { CommentForm, NoCommenting } from "../work-items/comment-form.tsx";
import { Conversation } from "../work-items/conversation.tsx";
import { createNewComment } from "../work-items/new-comment.ts";
import { NamedItems } from "../work-items/named-items.tsx";
import { SideColumn } from "../work-items/side-column.tsx";
import { sideBody } from "../work-items/side-values.ts";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { CloseButtons } from "./close-buttons.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { IssueBody } from "./issue-body.tsx";
import { EditTitleButton, IssueHeading, IssueStanding, TitleForm } from "./issue-head.tsx";
import { useIssueCalls, type IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

const maxNumber = 2_147_483_647;

export function IssuePage() {
  const { number: written = "" } = useParams();
  const number = Number(written);
  const { id } = useRepository();
  if (!/^[1-9]\d*$/.test(written) || number > maxNumber) return <NotFound />;
  // What was typed belongs to this issue.
  return <NumberedIssue key={`${id} ${number}`} number={number} />;
}

function NumberedIssue({ number }: { number: number }) {
  const calls = useIssueCalls(number);
  const here = `/${useRepository().full_name}/issues/${number}`;
  // The key names the issue in text, as those of its lists do: once it is deleted, nothing of it is asked for again.
  const issue = useQuery({ queryKey: calls.key, queryFn: calls.read });
  return (
    <QueryView query={issue}>
      {(found) =>
        isElsewhere(found, here) ? <Moved issue={found} /> : <Shown issue={found} calls={calls} />
      }
    </QueryView>
  );
}

const pageOf = ({ web_url: address }: Issue) => new URL(address).pathname;

/** It was moved to another repository, where the API has found it. */
function isElsewhere(issue: Issue, here: string): boolean {
  return pageOf(issue).toLowerCase() !== here.toLowerCase();
}

function Moved({ issue }: { issue: Issue }) {
  const { hash } = useLocation();
  return <Navigate to={{ pathname: pageOf(issue), hash }} replace />;
}

function Shown({ issue, calls }: { issue: Issue; calls: IssueCalls }) {
  const { full_name: fullName, archived } = useRepository();
  const { number, author, viewer_may: may } = issue;
  const [isEditingTitle, setEditingTitle] = useState(false);
  const [typed] = useState(createNewComment);
  const place = useTextPlace();
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
      <TwoColumns side={<Side issue={issue} calls={calls} />}>
        <IssueBody issue={issue} calls={calls} place={place} />
        <Conversation
          calls={calls}
          place={place}
          itemAuthor={author}
          onQuote={may.comment ? typed.quote : undefined}
        />
        {may.comment ? (
          <CommentForm
            {...{ calls, place, typed }}
            aside={(comment) =>
              may.close ? (
                <CloseButtons {...{ issue, calls, comment }} onCommented={() => typed.write("")} />
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

function Side({ issue, calls }: { issue: Issue; calls: IssueCalls }) {
  const { author, state, viewer_may: may } = issue;
  return (
    <div>
      <SideColumn
        values={issue}
        mayTriage={may.triage}
        isOpen={state === "open"}
        people={author ? [author] : []}
        save={(change) => calls.change(sideBody(change))}
      >
        <ItemSubscription kind="issue" number={issue.number} />
        <NamedItems title={text.willBeClosedBy} mark="!" items={issue.closing_merge_requests} />
      </SideColumn>
      <IssueActions issue={issue} calls={calls} />
    </div>
  );
}
