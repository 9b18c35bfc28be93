/** What the pages of one merge request stand in: what it is called, how it stands, and its parts as tabs. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Actor } from "../work-items/actor.tsx";
import { mergeRequestAddress } from "./addresses.ts";
import { CheckOut } from "./check-out.tsx";
import { EditMergeRequest } from "./edit-merge-request.tsx";
import styles from "./merge-request-frame.module.css";
import { isForeign, sourceName } from "./source-name.ts";
import { MergeRequestBadge } from "./state-mark.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequest, useMergeRequestCommits, useMergeRequestPath } from "./use-merge-request.ts";

interface MergeRequestFrameProps {
  children: (mergeRequest: MergeRequest) => ReactNode;
}

export function MergeRequestFrame({ children }: MergeRequestFrameProps) {
  const { number } = useMergeRequestPath();
  return Number.isInteger(number) && number > 0 ? <Asked>{children}</Asked> : <NotFound />;
}

function Asked({ children }: MergeRequestFrameProps) {
  const { full_name: fullName } = useRepository();
  const query = useMergeRequest();
  return (
    <QueryView query={query} lines={8}>
      {(found) => (
        <Page
          title={text.one(found.number, found.title)}
          within={fullName}
          heading={
            <>
              {found.title} <span className={styles.number}>!{found.number}</span>
            </>
          }
          actions={
            <>
              <CheckOut mergeRequest={found} />
              {found.viewer_may.edit ? <EditMergeRequest mergeRequest={found} /> : null}
            </>
          }
        >
          <Standing mergeRequest={found} />
          <Parts mergeRequest={found} />
          {children(found)}
        </Page>
      )}
    </QueryView>
  );
}

/** Who wants what. */
function Standing({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { state, author, merged_by: mergedBy, target_branch: target } = mergeRequest;
  const commits = useMergeRequestCommits(mergeRequest);
  const count = commits.data ? text.countOf(commits.data.total) : text.someCommits;
  const isMerged = state === "merged";
  const verb = isMerged ? text.merged : state === "open" ? text.wants : text.wanted;
  return (
    <div className={styles.standing}>
      <MergeRequestBadge mergeRequest={mergeRequest} />
      <span className={styles.wish}>
        <Actor
          person={isMerged && mergedBy ? mergedBy : author}
          imported={isMerged && mergedBy ? null : mergeRequest.imported_author}
        />{" "}
        {verb(count)} <Branch name={target} isThere /> {text.from}{" "}
        <SourceBranch mergeRequest={mergeRequest} />
      </span>
    </div>
  );
}

/** In this repository, or in a fork. */
function SourceBranch({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { id } = useRepository();
  const { state, source_branch: name, source_repo: source } = mergeRequest;
  if (source === null)
    return (
      <>
        <code className={styles.branch}>{name}</code> {text.ofDeleted}
      </>
    );
  if (!isForeign(mergeRequest, id)) return <Branch name={name} isThere={state === "open"} />;
  return (
    <Link
      to={state === "open" ? fileAddress(source, "tree", { ref: name }) : `/${source.full_name}`}
      className={styles.branch}
    >
      <code>{sourceName(mergeRequest, id)}</code>
    </Link>
  );
}

/** The branch may be gone once the merge request is not open any more. */
function Branch({ name, isThere }: { name: string; isThere: boolean }) {
  const repository = useRepository();
  if (!isThere) return <code className={styles.branch}>{name}</code>;
  return (
    <Link to={fileAddress(repository, "tree", { ref: name })} className={styles.branch}>
      <code>{name}</code>
    </Link>
  );
}

function Parts({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const repository = useRepository();
  const { number, comments_count: comments } = mergeRequest;
  const commits = useMergeRequestCommits(mergeRequest);
  const to = (part?: string) => mergeRequestAddress(repository, number, part);
  return (
    <TabLinks
      label={text.parts}
      links={[
        { to: to(), label: text.conversation, exact: true, count: comments || undefined },
        { to: to("commits"), label: text.commits, count: commits.data?.total },
        { to: to("files"), label: text.files },
      ]}
    />
  );
}
