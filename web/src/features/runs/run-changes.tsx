/** Every change of a status in a run. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/run-history.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { isOver } from "../../ui/statuses.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./run-history.module.css";
import type { Run } from "./run-status.ts";

type Change = Schemas["PipelineTransition"];

const refetchMs = 4_000;

export function RunChanges({ run }: { run: Run }) {
  const path = { ...useRepositoryPath(), id: run.id };
  const pages = usePages(
    // The last changes come with the end, after which nobody asks again.
    ["run-history", run.id, String(isOver(run.status))],
    (query) => api.GET("/repos/{owner}/{repo}/pipelines/{id}/events", { params: { path, query } }),
    () => (isOver(run.status) ? false : refetchMs),
  );
  const names = namesOf(run);
  const columns: Column<Change>[] = [
    { title: text.when, cell: ({ at }) => <Time at={at} /> },
    { title: text.what, cell: (change) => nameOf(change, names) },
    { title: text.from, cell: ({ old_status: old }) => (old === null ? "" : <StatusMark status={old} />) },
    { title: text.to, cell: ({ new_status: status }) => <StatusMark status={status} /> },
    { title: text.why, wide: true, cell: ({ message, reason }) => message ?? reason ?? "" },
    { title: text.by, cell: ({ actor }) => actor ?? "" },
  ];
  return (
    <>
      <p className={styles.lead}>{text.lead}</p>
      <PagedTable
        pages={pages}
        caption={text.caption}
        columns={columns}
        keyOf={({ id }) => String(id)}
        empty={<p>{text.none}</p>}
        dense
      />
    </>
  );
}

type Names = ReadonlyMap<string, (attempt: number) => string>;

function nameOf({ node, node_id: id, attempt }: Change, names: Names): string {
  return names.get(id)?.(attempt ?? 1) ?? text.gone[node];
}

/** What is in the run, by its ids, in words. */
function namesOf(run: Run): Names {
  const names = new Map<string, (attempt: number) => string>([[run.id, () => text.run]]);
  for (const stage of run.stages) {
    names.set(stage.id, () => text.stage(stage.name));
    for (const job of stage.jobs) {
      names.set(job.id, () => text.job(job.name));
      for (const { id, attempt, steps } of job.attempts) {
        names.set(id, () => text.attempt(attempt, job.name));
        for (const { id: step, name } of steps)
          names.set(step, (of) => (of > 1 ? text.stepAgain(name, job.name, of) : text.step(name, job.name)));
      }
    }
  }
  return names;
}
