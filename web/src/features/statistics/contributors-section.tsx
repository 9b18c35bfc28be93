/** Who wrote it, those with most commits first; each with a small plot of their weeks and of their lines. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/statistics.ts";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./statistics.module.css";

type Contributor = Schemas["Contributor"];
type Week = Schemas["WeekOfCommits"];
const plotHeight = 24;
const weekWidth = 3;

/** `commit`: up to which the history was looked at; another one has other contributors. */
export function ContributorsSection({ weeks, commit }: { weeks: readonly Week[]; commit: string | null }) {
  const path = useRepositoryPath();
  const pages = usePages(["contributors", path, weeks.length, commit], (page) =>
    api.GET("/repos/{owner}/{repo}/stats/contributors", {
      params: { path, query: { ...page, weeks: weeks.length } },
    }),
  );
  const rows = pages.data ?? [];
  const max = Math.max(1, ...rows.map(({ additions, deletions }) => additions + deletions));
  const busiest = Math.max(1, ...rows.flatMap((row) => row.weeks.map(({ commits }) => commits)));
  return (
    <Section title={text.contributors} lead={text.contributorsLead}>
      <PagedTable
        pages={pages}
        caption={text.contributors}
        keyOf={({ username, email, name }) => `contributor ${username ?? email ?? name}`}
        empty={<p>{text.none}</p>}
        columns={[
          { title: text.contributor, wide: true, cell: (row) => <ContributorName contributor={row} /> },
          { title: text.activity, cell: (row) => <Activity own={row.weeks} all={weeks} busiest={busiest} /> },
          { title: text.commitColumn, align: "end", cell: ({ commits }) => formatCount(commits) },
          {
            title: text.added,
            align: "end",
            cell: ({ additions }) => <span className={styles.added}>+{formatCount(additions)}</span>,
          },
          {
            title: text.deleted,
            align: "end",
            cell: ({ deletions }) => <span className={styles.deleted}>−{formatCount(deletions)}</span>,
          },
          { title: text.share, cell: (row) => <Lines contributor={row} max={max} /> },
        ]}
      />
    </Section>
  );
}

function ContributorName({ contributor: { name, username, email } }: { contributor: Contributor }) {
  return (
    <span className={styles.who}>
      {username === null ? <span>{name}</span> : <Link to={`/${username}`}>{username}</Link>}
      <span className={styles.address}>{username === null ? email : name === username ? null : name}</span>
    </span>
  );
}

function Activity({ own, all, busiest }: { own: readonly Week[]; all: readonly Week[]; busiest: number }) {
  const commitsOf = new Map(own.map(({ week, commits }) => [week, commits]));
  const width = all.length * weekWidth;
  return (
    <svg
      className={styles.activity}
      viewBox={`0 0 ${width} ${plotHeight}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={`M 0 ${plotHeight - 0.5} H ${width}`} className={styles.ground} />
      {all.map(({ week }, at) => {
        const commits = commitsOf.get(week) ?? 0;
        const height = Math.max(2, (commits / busiest) * plotHeight);
        return commits > 0 ? (
          <rect
            key={week}
            x={at * weekWidth}
            y={plotHeight - height}
            width={weekWidth - 0.5}
            height={height}
          />
        ) : null;
      })}
    </svg>
  );
}

function Lines({ contributor: { additions, deletions }, max }: { contributor: Contributor; max: number }) {
  return (
    <div className={styles.lineBar} aria-hidden>
      <span className={styles.addedBar} style={{ width: `${(additions / max) * 100}%` }} />
      <span className={styles.deletedBar} style={{ width: `${(deletions / max) * 100}%` }} />
    </div>
  );
}
