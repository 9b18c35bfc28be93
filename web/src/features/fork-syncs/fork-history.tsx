/** Syncs of a fork, newest first. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/fork-syncs.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { ConflictPaths } from "./conflict-paths.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

type ForkSync = Schemas["ForkSync"];

const tones = {
  waiting: "info",
  running: "info",
  up_to_date: "good",
  fast_forwarded: "good",
  merged: "good",
  conflict: "bad",
  failed: "bad",
  cancelled: "plain",
} as const;

/** `version` changes whenever there is something new. */
export function ForkHistory({ version }: { version: string }) {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["fork-history", fullName, version], (query) =>
    api.GET("/repos/{owner}/{repo}/sync/history", { params: { path, query } }),
  );
  return (
    <Section title={text.history}>
      <PagedTable
        pages={pages}
        caption={text.history}
        keyOf={({ id, created_at: at }) => id ?? at}
        empty={<EmptyState title={text.noSyncs}>{text.noSyncsHint}</EmptyState>}
        columns={[
          { title: text.startedAt, cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: text.result,
            cell: ({ status }) => <Badge tone={tones[status]}>{text.results[status]}</Badge>,
          },
          { title: text.changes, wide: true, cell: (sync) => <Changes sync={sync} /> },
          { title: text.cause, cell: ({ cause }) => text.causes[cause] },
          { title: text.user, cell: ({ user }) => user ?? "–" },
        ]}
      />
    </Section>
  );
}

function Changes({ sync: { error, conflicts, branches } }: { sync: ForkSync }) {
  if (error !== null) return error;
  if (conflicts.length > 0) return <ConflictPaths conflicts={conflicts} />;
  const moved = branches.filter(({ before, after }) => before !== after);
  if (moved.length === 0) return "–";
  return (
    <div>
      {moved.map(({ name, before, behind, ahead }) => (
        <div key={name}>
          {text.branchStanding(name, before === null ? text.created : text.standing({ behind, ahead }))}
        </div>
      ))}
    </div>
  );
}
