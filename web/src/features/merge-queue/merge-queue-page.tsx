/** The merge queue of a branch: what waits, what is tested, and by which runs. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/merge-queue.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Segments } from "../../ui/segments.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { mayMaintain } from "../environments/may-maintain.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./merge-queue-page.module.css";
import { FirstButton, PauseButton, RemoveButton } from "./queue-actions.tsx";

type Queue = Schemas["MergeQueue"];
type Entry = Schemas["MergeQueueEntry"];

const pollMs = 4_000;

export function MergeQueuePage() {
  const repository = useRepository();
  const path = useRepositoryPath();
  const [query, setQuery] = useSearchParams();
  const branch = query.get("branch") ?? repository.default_branch;
  const queue = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/merge-queue",
    { params: { path, query: { branch } } },
    { refetchInterval: ({ state: { error } }) => pollUnlessRefused(error, pollMs) },
  );
  const branches = [...new Set([branch, repository.default_branch, ...(queue.data?.branches ?? [])])];
  const mayPause = mayMaintain(repository) && !repository.archived && queue.data?.settings;
  return (
    <Page
      title={text.title}
      within={repository.full_name}
      lead={text.lead}
      actions={
        mayPause ? <PauseButton branch={branch} isPaused={queue.data?.paused_at !== null} /> : undefined
      }
    >
      <p>
        <a href="/docs/merge-queue">{text.docs}</a>
      </p>
      {branches.length > 1 ? (
        <Segments
          label={text.branch}
          choices={Object.fromEntries(branches.map((name) => [name, name]))}
          value={branch}
          onChange={(name) => setQuery({ branch: name })}
        />
      ) : null}
      <QueryView query={queue} lines={4}>
        {(found) => <Shown queue={found} />}
      </QueryView>
    </Page>
  );
}

function Shown({ queue }: { queue: Queue }) {
  const { branch, settings, entries, paused_at: pausedAt, paused_by: pausedBy, batches } = queue;
  if (entries.length === 0 && !settings)
    return <EmptyState title={text.noQueue(branch)}>{text.noQueueHint}</EmptyState>;
  return (
    <>
      {pausedAt === null ? null : (
        <Notice title={pausedBy ? text.pausedBy(pausedBy.username) : text.paused} />
      )}
      {batches.map((batch, index) => (
        <Batch key={batch.sha} batch={batch} isOnTop={index > 0} />
      ))}
      {entries.length === 0 ? (
        <EmptyState title={text.none}>{text.noneHint}</EmptyState>
      ) : (
        <Table
          caption={text.of(branch)}
          rows={entries}
          keyOf={({ number }) => String(number)}
          columns={columns}
        />
      )}
    </>
  );
}

function Batch({ batch: { size, runs }, isOnTop }: { batch: Queue["batches"][number]; isOnTop: boolean }) {
  const { full_name: fullName } = useRepository();
  return (
    <p className={styles.batch}>
      {isOnTop ? text.testedOnTopBy(size) : text.testedBy(size)}{" "}
      {runs.length === 0
        ? text.noRuns
        : runs.map(({ id, number, status }) => (
            <span key={id}>
              <StatusMark status={status} bare />{" "}
              <Link to={`/${fullName}/pipelines/${number}`}>{text.run(number)}</Link>{" "}
            </span>
          ))}
    </p>
  );
}

const columns: Column<Entry>[] = [
  { title: text.number, wide: true, cell: (entry) => <MergeRequest entry={entry} /> },
  { title: text.state, cell: ({ state }) => text.states[state] },
  { title: text.addedBy, cell: ({ queued_by: user }) => user?.username ?? text.somebody },
  { title: text.since, cell: ({ queued_at: at }) => <Time at={at} /> },
  { title: "", label: text.actions, cell: (entry) => <Actions entry={entry} /> },
];

function MergeRequest({ entry: { number, title } }: { entry: Entry }) {
  const { full_name: fullName } = useRepository();
  return (
    <Link to={`/${fullName}/merge-requests/${number}`}>
      {title} (!{number})
    </Link>
  );
}

/** The author has the button on the page of the merge request. */
function Actions({ entry: { number, position, state, queued_by: by } }: { entry: Entry }) {
  const repository = useRepository();
  const session = useSession();
  const maintains = mayMaintain(repository) && !repository.archived;
  const isTheirs = session !== null && by?.username === session.user.username;
  if (state === "landing") return null;
  return (
    <>
      {maintains && position > 1 ? <FirstButton number={number} /> : null}
      {maintains || isTheirs ? <RemoveButton number={number} /> : null}
    </>
  );
}
