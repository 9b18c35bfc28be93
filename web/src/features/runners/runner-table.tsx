/** Runners as rows: how each stands, what it has, what it can, and when it was last heard. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as groupText } from "../../text/runner-groups.ts";
import { text } from "../../text/runners.ts";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { RunnerLabels } from "./runner-labels.tsx";
import { RunnerLoad } from "./runner-load.tsx";
import { RunnerStatus } from "./runner-status.tsx";
import styles from "./runners.module.css";

const columns: readonly Column<Schemas["Runner"]>[] = [
  {
    title: text.runner,
    cell: ({ id, name, repository, organization, group }) => {
      const only = repository ?? organization;
      return (
        <span className={styles.name}>
          <Link to={`/runners/${id}`}>{name}</Link>
          {only === null ? null : <small>{text.onlyOf(only)}</small>}
          {group === null ? null : <small>{groupText.inGroup(group.name)}</small>}
        </span>
      );
    },
  },
  { title: text.status, cell: ({ status }) => <RunnerStatus status={status} /> },
  {
    title: text.jobs,
    cell: ({ running, capacity }) => <RunnerLoad running={running} capacity={capacity} />,
  },
  { title: text.labels, wide: true, cell: ({ labels }) => <RunnerLabels labels={labels} /> },
  {
    title: text.version,
    cell: ({ version, outdated }) => (
      <span className={styles.line}>{outdated ? text.outdated(version) : version}</span>
    ),
  },
  {
    title: text.lastSeen,
    cell: ({ last_seen_at: at }) => (
      <span className={styles.line}>{at === null ? text.never : <Time at={at} />}</span>
    ),
  },
];

export function RunnerTable({ runners }: { runners: readonly Schemas["Runner"][] }) {
  return <Table caption={text.title} rows={runners} keyOf={({ id }) => id} columns={columns} />;
}
