/** The discussions of a team: pinned ones, then the newest first. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Lock, MessageSquare, Pin } from "lucide-react";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { text } from "../../text/discussions.ts";
import { text as items } from "../../text/work-items.ts";
import { text as general } from "../../text/general.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { TeamTabs } from "../organizations/team-tabs.tsx";
import { all, boardAddress, useBoard, type Discussion } from "./board.ts";
import styles from "./discussions.module.css";
import { useMayWrite } from "./use-may-write.ts";

const perPage = 30;

export function DiscussionsPage() {
  const board = useBoard();
  const page = usePageNumber();
  const discussions = useQuery({
    queryKey: [all, board, page],
    queryFn: async ({ signal }) => {
      const params = { path: board, query: { page, per_page: perPage } };
      const { data, response } = await api.GET(all, { params, signal });
      return { rows: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
  const isEmpty = discussions.data?.total === 0;
  return (
    <Page
      title={text.title}
      within={`${board.org}/${board.team}`}
      heading={text.titleOf(board.team)}
      actions={isEmpty ? null : <NewButton />}
    >
      <TeamTabs {...board} />
      <QueryView query={discussions} lines={8}>
        {({ rows, total }) => (
          <>
            <Rows rows={rows} isEmpty={total === 0} />
            <Pager total={total} perPage={perPage} label={text.pages} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function NewButton() {
  const board = useBoard();
  return useMayWrite(board) ? (
    <ButtonLink kind="primary" to={`${boardAddress(board)}/new`}>
      {text.new}
    </ButtonLink>
  ) : null;
}

function Rows({ rows, isEmpty }: { rows: readonly Discussion[]; isEmpty: boolean }) {
  if (isEmpty)
    return (
      <EmptyState title={text.empty} action={<NewButton />}>
        {text.emptyHint}
      </EmptyState>
    );
  if (rows.length === 0)
    return <EmptyState title={text.pastEnd} action={<Link to="?">{general.firstPage}</Link>} />;
  return (
    <ul className={styles.list}>
      {rows.map((discussion) => (
        <Row key={discussion.id} discussion={discussion} />
      ))}
    </ul>
  );
}

function Row({ discussion }: { discussion: Discussion }) {
  const { number, title, author, replies_count: count } = discussion;
  const board = useBoard();
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.head}>
          <Link to={`${boardAddress(board)}/${number}`} className={styles.title}>
            {title}
          </Link>
          <Marks discussion={discussion} />
        </div>
        <div className={styles.about}>
          #{number} {text.started} <Time at={discussion.created_at} /> {text.by}{" "}
          {author?.username ?? items.deletedAccount}
        </div>
      </div>
      {count === 0 ? null : (
        <span className={styles.count} title={text.replies(count)}>
          <MessageSquare size={14} aria-hidden />
          <span className="visually-hidden">{text.replies(count)}</span>
          <span aria-hidden>{count}</span>
        </span>
      )}
    </li>
  );
}

export function Marks({ discussion }: { discussion: Discussion }) {
  return (
    <>
      {discussion.pinned ? (
        <Badge tone="plain">
          <Pin size={11} aria-hidden /> {text.pinned}
        </Badge>
      ) : null}
      {discussion.locked ? (
        <Badge tone="plain">
          <Lock size={11} aria-hidden /> {text.locked}
        </Badge>
      ) : null}
      {discussion.private ? <Badge tone="warn">{text.private}</Badge> : null}
    </>
  );
}
