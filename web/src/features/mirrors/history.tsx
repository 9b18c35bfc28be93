/** Syncs of a mirror, newest first. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages, type Pages } from "../../api/use-pages.ts";
import { text } from "../../text/mirrors.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatBytes } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

type Sync = Schemas["MirrorSync"];

const tones = { running: "info", succeeded: "good", failed: "bad", cancelled: "plain" } as const;

/** `version` changes whenever there is something new. */
export function MirrorHistory({ version }: { version: string }) {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["mirror-history", fullName, version], (query) =>
    api.GET("/repos/{owner}/{repo}/mirror/history", { params: { path, query } }),
  );
  return <History pages={pages} bytes={text.received} />;
}

/** `bytes` says what was done with them. */
export function History({ pages, bytes }: { pages: Pages<Sync>; bytes: string }) {
  return (
    <Section title={text.history}>
      <PagedTable
        pages={pages}
        caption={text.history}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noSyncs}>{text.noSyncsHint}</EmptyState>}
        columns={[
          { title: text.startedAt, cell: (sync) => <Time at={sync.started_at} /> },
          { title: text.result, cell: (sync) => <Result sync={sync} /> },
          { title: text.changes, wide: true, cell: (sync) => <Changes sync={sync} /> },
          { title: text.cause, cell: (sync) => text.causes[sync.cause] },
          {
            title: text.took,
            align: "end",
            cell: ({ duration_ms: ms }) => (ms === null ? "–" : text.seconds(ms)),
          },
          { title: bytes, align: "end", cell: (sync) => formatBytes(sync.bytes) },
        ]}
      />
    </Section>
  );
}

export function Result({ sync }: { sync: Pick<Sync, "status" | "progress"> }) {
  const step = sync.progress === null ? "" : `: ${text.steps[sync.progress]}`;
  return (
    <Badge tone={tones[sync.status]}>
      {text.results[sync.status]}
      {step}
    </Badge>
  );
}

const named = 3;

function Changes({ sync }: { sync: Sync }) {
  if (sync.error !== null) return sync.error;
  const notes = sync.notes.map((note) => <div key={note}>{note}</div>);
  if (sync.changed_refs === 0) return <div>{notes.length > 0 ? notes : text.noChanges}</div>;
  const more = sync.changed_refs - named;
  return (
    <div>
      {sync.refs.slice(0, named).map((change) => (
        <div key={change.ref}>
          <Change change={change} />
        </div>
      ))}
      {more > 0 ? <div>{text.more(more)}</div> : null}
      {notes}
    </div>
  );
}

function Change({ change: { ref, change, before, after } }: { change: Schemas["MirrorRefChange"] }) {
  const { full_name: fullName } = useRepository();
  const name = ref.replace(/^refs\/(?:heads|tags)\//, "");
  const said = `${text.changeOf[change]} ${name}`;
  if (change === "updated") return <Link to={`/${fullName}/compare/${before}...${after}`}>{said}</Link>;
  const lost = change === "forced" || change === "deleted";
  return (
    <>
      {said} {lost ? <code title={before ?? ""}>{before?.slice(0, 10)}</code> : null}
    </>
  );
}
