/** What a run would do, as the server plans it: stages with their jobs, and why one would not run. */
import { CircleCheck, CircleSlash, CircleX } from "lucide-react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as dialog } from "../../text/run-dialog.ts";
import { Notice } from "../../ui/notice.tsx";
import { PlanVariables } from "./plan-variables.tsx";
import { Templates } from "./templates.tsx";
import styles from "./run-preview.module.css";

/** So many combinations of a matrix are shown without being asked for. */
const maxUnfolded = 10;

/** `isCompared`: the changed files were asked for. */
export function RunPreview(props: { plan: Schemas["PlanResult"]; isCompared?: boolean }) {
  const { plan, isCompared = false } = props;
  const { changed_files: changed } = plan;
  return (
    <>
      <Nodes plan={plan} />
      {changed === null ? null : <p>{dialog.previewChanges(changed)}</p>}
      {changed === null && isCompared ? <p>{dialog.previewTooMany}</p> : null}
      <Templates templates={plan.templates} heading="h3" />
      <PlanVariables variables={plan.variables} />
    </>
  );
}

function Nodes({ plan }: { plan: Schemas["PlanResult"] }) {
  if (!plan.valid)
    return (
      <Notice tone="bad" title={dialog.previewInvalid}>
        <ul className={styles.problems}>
          {plan.diagnostics.map((each) => (
            <li key={`${each.line}:${each.column}:${each.code}`}>
              {each.file}:{each.line}:{each.column}: {each.message}
            </li>
          ))}
        </ul>
      </Notice>
    );
  const [whole] = plan.nodes;
  if (whole?.node === "pipeline" && !whole.runs) return <Notice tone="warn">{whole.message}</Notice>;
  return (
    <section className={styles.preview} aria-label={dialog.previewTitle}>
      {plan.nodes
        .filter(({ node }) => node === "stage")
        .map((stage) => (
          <div key={stage.name}>
            <h3>
              {dialog.stage(stage.name)}
              {factsOf(stage).map((fact) => (
                <span key={fact} className={styles.why}>
                  {" "}
                  {fact}
                </span>
              ))}
            </h3>
            <ul>
              {jobsOfStage(plan.nodes, stage).map(([key, jobs]) =>
                jobs.length > maxUnfolded ? (
                  <Matrix key={key} name={key} jobs={jobs} />
                ) : (
                  jobs.map((job) => <Job key={job.name} job={job} />)
                ),
              )}
            </ul>
          </div>
        ))}
    </section>
  );
}

/** By their keys; those of a matrix are together. */
function jobsOfStage(
  nodes: readonly Schemas["PlanNode"][],
  stage: Schemas["PlanNode"],
): [string, Schemas["PlanNode"][]][] {
  const jobs = nodes.filter(({ node, stage: of }) => node === "job" && of === stage.name);
  const groups = new Map<string, Schemas["PlanNode"][]>();
  for (const job of jobs) {
    // A combination is called `KEY (VALUES)`.
    const [key = ""] = job.matrix ? job.name.split(" (") : [job.name];
    groups.set(key, [...(groups.get(key) ?? []), stage.runs ? job : { ...job, ...whyOf(stage) }]);
  }
  return [...groups];
}

/** A long matrix is one line, until somebody opens it. */
function Matrix({ name, jobs }: { name: string; jobs: readonly Schemas["PlanNode"][] }) {
  const running = jobs.filter(({ runs }) => runs).length;
  return (
    <li className={styles.matrix}>
      <details>
        <summary>
          {name}: {dialog.previewMatrix(running, jobs.length)}
        </summary>
        <ul>
          {jobs.map((job) => (
            <Job key={job.name} job={job} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** What a stage that does not run means for its jobs. */
function whyOf({ runs, reason, message }: Schemas["PlanNode"]) {
  return { runs, reason, message };
}

function Job({ job }: { job: Schemas["PlanNode"] }) {
  const Mark = job.runs ? CircleCheck : job.ends ? CircleX : CircleSlash;
  return (
    <li className={job.runs ? styles.runs : job.ends ? styles.fails : styles.skipped}>
      <Mark size={15} aria-hidden />
      <span>
        {job.name}
        {factsOf(job).map((fact) => (
          <span key={fact} className={styles.why}>
            {" "}
            {fact}
          </span>
        ))}
        {job.runs ? null : (
          <span className={styles.why}>
            {" "}
            {dialog.previewEnds[job.ends ?? "skipped"]}: {job.message ?? job.reason}
          </span>
        )}
      </span>
    </li>
  );
}

/** What is known of a job or stage besides its name. */
function factsOf({ starts, permissions, priority, gates = [] }: Schemas["PlanNode"]): string[] {
  return [
    ...(starts === undefined ? [] : [starts]),
    ...gates.map(dialog.previewGate),
    ...(permissions === undefined ? [] : [dialog.previewToken(permissions.join(", "))]),
    ...(priority === undefined ? [] : [dialog.previewPriority(priority)]),
  ];
}
