/** Plan and storage of one owner: of a person or of an organization, whoever of the two it is. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { Pages } from "../../api/use-pages.ts";
import { text } from "../../text/storage.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { UsageBar } from "../../ui/usage-bar.tsx";

type Kept = Schemas["RepositoryStorageUse"];

export function PlanSection({ plan, lfs }: Pick<Schemas["OwnedStorage"], "plan" | "lfs">) {
  return (
    <Section title={text.plan} lead={`${text.planIs(plan)} ${text.planHint}`}>
      <UsageBar
        label={text.lfsStorage}
        used={lfs.used_bytes}
        limit={lfs.limit_bytes}
        format={formatBytes}
        hint={lfs.custom ? `${text.lfsCustom} ${text.lfsHint}` : text.lfsHint}
      />
    </Section>
  );
}

export function UsageSection({ storage }: { storage: Schemas["OwnedStorage"] }) {
  const { repositories: live, deleted_repositories: gone, unmeasured, measured_since: since } = storage;
  const sum = (kind: "git_bytes" | "lfs_bytes" | "log_bytes" | "attachment_bytes") =>
    formatBytes(live[kind] + gone[kind]);
  return (
    <Section title={text.kept} lead={text.keptHint}>
      <Facts
        facts={[
          { name: text.total, value: formatBytes(storage.total_bytes) },
          { name: text.git, value: sum("git_bytes") },
          { name: text.lfs, value: sum("lfs_bytes") },
          { name: text.logs, value: sum("log_bytes") },
          { name: text.attachments, value: sum("attachment_bytes") },
          ...(storage.team_attachment_bytes > 0
            ? [{ name: text.teamAttachments, value: formatBytes(storage.team_attachment_bytes) }]
            : []),
          { name: text.repositories, value: formatCount(live.count) },
          { name: text.deleted, value: formatCount(gone.count) },
          ...(unmeasured > 0 ? [{ name: text.unmeasured, value: formatCount(unmeasured) }] : []),
          ...(since === null ? [] : [{ name: text.measuredSince, value: <Time at={since} /> }]),
        ]}
      />
    </Section>
  );
}

export function RepositoriesSection({ pages }: { pages: Pages<Kept> }) {
  const size = (title: string, bytes: (row: Kept) => number) =>
    ({ title, align: "end", cell: (row: Kept) => formatBytes(bytes(row)) }) as const;
  return (
    <Section title={text.byRepository}>
      <PagedTable
        pages={pages}
        caption={text.byRepository}
        keyOf={(row) => row.repository_id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          { title: text.repository, wide: true, cell: (row) => <Name row={row} /> },
          size(text.git, (row) => row.git_bytes),
          size(text.lfs, (row) => row.lfs_bytes),
          size(text.logs, (row) => row.log_bytes),
          size(text.attachments, (row) => row.attachment_bytes),
          size(text.total, (row) => row.total_bytes),
          { title: text.measured, cell: ({ measured_at: at }) => (at ? <Time at={at} /> : text.notYet) },
        ]}
      />
    </Section>
  );
}

function Name({ row: { full_name: name, deleted } }: { row: Kept }) {
  if (!deleted) return <Link to={`/${name}/settings/storage`}>{name}</Link>;
  return (
    <span>
      <Link to={`/-/deleted/${name}`}>{name}</Link> <Badge tone="plain">{text.deletedBadge}</Badge>
    </span>
  );
}
