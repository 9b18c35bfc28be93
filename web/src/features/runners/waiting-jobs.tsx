/** What waits for runners of the instance or of an organization, below these. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/waiting-jobs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { RunnerLabels } from "./runner-labels.tsx";

type Demand = Schemas["RunnerDemand"];
type LabelSet = Demand["label_sets"][number];

const refetchInterval = 15_000;

export function InstanceWaitingJobs() {
  return <WaitingJobs query={$api.useQuery("get", "/runners/demand", {}, { refetchInterval })} />;
}

export function OrganizationWaitingJobs({ org }: { org: string }) {
  const asked = { params: { path: { org } } };
  return (
    <WaitingJobs query={$api.useQuery("get", "/orgs/{org}/runners/demand", asked, { refetchInterval })} />
  );
}

function WaitingJobs({ query }: { query: Parameters<typeof QueryView<Demand, unknown>>[0]["query"] }) {
  return (
    <Section title={text.title} lead={text.lead}>
      <p>
        <a href="/docs/operations/autoscaling">{text.docs}</a>
      </p>
      <QueryView query={query}>{(demand) => <Sets demand={demand} />}</QueryView>
    </Section>
  );
}

function Sets({ demand: { label_sets: sets, more } }: { demand: Demand }) {
  if (sets.length === 0) return <EmptyState title={text.none}>{text.noneHint}</EmptyState>;
  return (
    <>
      <Table
        caption={text.title}
        rows={merged(sets)}
        keyOf={({ labels }) => labels.join(",")}
        columns={[
          { title: text.labels, wide: true, cell: ({ labels }) => <RunnerLabels labels={labels} /> },
          { title: text.waiting, align: "end", cell: ({ queued }) => queued },
          {
            title: text.longest,
            align: "end",
            cell: ({ oldest_wait_seconds: seconds }) => (seconds === null ? null : text.wait(seconds)),
          },
          { title: text.running, align: "end", cell: ({ running }) => running },
          { title: text.idle, align: "end", cell: ({ idle }) => idle },
        ]}
      />
      {more > 0 ? <p>{text.more(more)}</p> : null}
    </>
  );
}

function shown(labels: readonly string[]): string[] {
  return labels.flatMap((label) => {
    const word = text.ofKeys[label];
    return word === null ? [] : [word ?? label];
  });
}

/** Sets that differ only in what is not shown become one row. A slot may fit several of them, so those are not added up. */
function merged(sets: readonly LabelSet[]) {
  const rows = new Map<string, LabelSet>();
  for (const set of sets) {
    const labels = shown(set.labels);
    const key = labels.join(",");
    const row = rows.get(key);
    rows.set(key, row ? sum(row, set) : { ...set, labels });
  }
  return [...rows.values()];
}

function sum(row: LabelSet, set: LabelSet) {
  return {
    ...row,
    queued: row.queued + set.queued,
    running: row.running + set.running,
    idle: Math.max(row.idle, set.idle),
    oldest_wait_seconds:
      row.oldest_wait_seconds === null && set.oldest_wait_seconds === null
        ? null
        : Math.max(row.oldest_wait_seconds ?? 0, set.oldest_wait_seconds ?? 0),
  };
}
