/** What a run would do, as the server plans it: stages with their jobs, and why one would not run. */
import { CircleCheck, CircleDashed, CircleSlash, CircleX } from "lucide-react";
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
    <div className={styles.whole}>
      <Nodes plan={plan} />
      {plan.valid && plan.diagnostics.length > 0 ? (
        <Notice tone="warn" title={dialog.previewWarnings}>
          <Diagnostics found={plan.diagnostics} />
        </Notice>
      ) : null}
      {changed === null ? null : <p>{dialog.previewChanges(changed)}</p>}
      {changed === null && isCompared ? <p>{dialog.previewTooMany}</p> : null}
      <Templates templates={plan.templates} heading="h3" />
      <PlanVariables variables={plan.variables} />
    </div>
  );
}

function Nodes({ plan }: { plan: Schemas["PlanResult"] }) {
  if (!plan.valid)
    return (
      <Notice tone="bad" title={dialog.previewInvalid}>
        <Diagnostics found={plan.diagnostics} />
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
              <Facts facts={factsOf({ ...stage, runs: true })} />
            </h3>
            <ul>
              {jobsOfStage(plan.nodes, stage).map(([key, jobs]) =>
                jobs.length > maxUnfolded ? (
                  <Matrix key={key} name={key} jobs={jobs} nodes={plan.nodes} />
                ) : (
                  jobs.map((job) => <Job key={job.name} job={job} nodes={plan.nodes} />)
                ),
              )}
            </ul>
          </div>
        ))}
    </section>
  );
}

function Diagnostics({ found }: { found: Schemas["PlanResult"]["diagnostics"] }) {
  return (
    <ul className={styles.problems}>
      {found.map((each) => (
        <li key={`${each.line}:${each.column}:${each.code}`}>
          {each.file}:{each.line}:{each.column}: {each.message}
        </li>
      ))}
    </ul>
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
function Matrix(props: {
  name: string;
  jobs: readonly Schemas["PlanNode"][];
  nodes: readonly Schemas["PlanNode"][];
}) {
  const { name, jobs, nodes } = props;
  const running = jobs.filter(({ runs }) => runs).length;
  return (
    <li className={styles.matrix}>
      <details>
        <summary>
          {name}: {dialog.previewMatrix(running, jobs.length)}
        </summary>
        <ul>
          {jobs.map((job) => (
            <Job key={job.name} job={job} nodes={nodes} />
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

function Job({ job, nodes }: { job: Schemas["PlanNode"]; nodes: readonly Schemas["PlanNode"][] }) {
  const steps = nodes.filter(({ node, job: of }) => node === "step" && of === job.name);
  return (
    <>
      <Node node={job} />
      {steps.length === 0 ? null : (
        <li className={styles.matrix}>
          <details className={styles.steps}>
            <summary>{dialog.previewSteps(steps.length)}</summary>
            <ul>
              {steps.map((step, index) => (
                // Names of steps may repeat, and their order never changes.
                <Node key={`${index} ${step.name}`} node={step} />
              ))}
            </ul>
          </details>
        </li>
      )}
    </>
  );
}

/** A job or a step. */
function Node({ node }: { node: Schemas["PlanNode"] }) {
  const { Mark, look } = markOf(node);
  return (
    <li className={look}>
      <Mark size={15} aria-hidden />
      <span>
        {node.name}
        <Facts facts={factsOf(node)} />
      </span>
    </li>
  );
}

function Facts({ facts }: { facts: readonly string[] }) {
  return facts.map((fact) => (
    <span key={fact} className={styles.why}>
      {" "}
      {fact}
    </span>
  ));
}

function markOf({ runs, ends, undecided }: Schemas["PlanNode"]) {
  if (undecided) return { Mark: CircleDashed, look: styles.skipped };
  if (runs) return { Mark: CircleCheck, look: styles.runs };
  return ends ? { Mark: CircleX, look: styles.fails } : { Mark: CircleSlash, look: styles.skipped };
}

/** What is known of it besides its name; at last why it does not run. */
function factsOf(node: Schemas["PlanNode"]): string[] {
  const { environment, placement, starts, permissions, priority, priority_asked: asked, gates = [] } = node;
  return [
    ...(environment === undefined ? [] : [`→ ${environment}`]),
    ...(placement === undefined ? [] : [dialog.previewTogether]),
    ...(starts === undefined ? [] : [starts]),
    ...gates.map(dialog.previewGate),
    ...(permissions === undefined ? [] : [dialog.previewToken(permissions.join(", "))]),
    ...(priority === undefined ? [] : [dialog.previewPriority(priority, asked)]),
    ...whyNot(node),
  ];
}

function whyNot({ runs, undecided, ends, message, reason }: Schemas["PlanNode"]): string[] {
  const why = message ?? reason ?? "";
  if (undecided) return [why];
  return runs ? [] : [`${dialog.previewEnds[ends ?? "skipped"]}: ${why}`];
}
