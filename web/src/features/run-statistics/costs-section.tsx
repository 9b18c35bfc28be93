/** Which repositories need runners most. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { Pages } from "../../api/use-pages.ts";
import { text } from "../../text/run-statistics.ts";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";

type Repository = Schemas["RepositoryRuns"];

export function CostsSection({ pages, days }: { pages: Pages<Repository>; days: number }) {
  return (
    <Section title={text.costs} lead={text.costsLead}>
      <PagedTable
        pages={pages}
        caption={text.costs}
        keyOf={({ repository_id: id }) => id}
        empty={<p>{text.emptyTitle}</p>}
        columns={[
          {
            title: text.repository,
            wide: true,
            cell: ({ full_name: name }) => (
              <Link to={`/${name}/pipelines/statistics?days=${days}`}>{name}</Link>
            ),
          },
          { title: text.runs, align: "end", cell: ({ runs }) => formatCount(runs) },
          { title: text.successRate, align: "end", cell: (row) => text.percent(row.success_rate) },
          { title: text.minutes, align: "end", cell: (row) => text.minutesOf(row.runner_minutes) },
        ]}
      />
    </Section>
  );
}
