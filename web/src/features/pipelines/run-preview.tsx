/** What a run would do, as the server plans it: stages with their jobs, and why one would not run. */
import { CircleCheck, CircleSlash } from "lucide-react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as dialog } from "../../text/run-dialog.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./run-preview.module.css";

export function RunPreview({ plan }: { plan: Schemas["PlanResult"] }) {
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
            <h3>{dialog.stage(stage.name)}</h3>
            <ul>
              {plan.nodes
                .filter(({ node, stage: of }) => node === "job" && of === stage.name)
                .map((job) => (
                  <Job key={job.name} job={stage.runs ? job : { ...job, ...whyOf(stage) }} />
                ))}
            </ul>
          </div>
        ))}
    </section>
  );
}

/** What a stage that does not run means for its jobs. */
function whyOf({ runs, reason, message }: Schemas["PlanNode"]) {
  return { runs, reason, message };
}

function Job({ job }: { job: Schemas["PlanNode"] }) {
  return (
    <li className={job.runs ? styles.runs : styles.skipped}>
      {job.runs ? <CircleCheck size={15} aria-hidden /> : <CircleSlash size={15} aria-hidden />}
      <span>
        {job.name}
        {job.runs ? null : (
          <span className={styles.why}>
            {" "}
            {dialog.previewSkips}: {job.message ?? job.reason}
          </span>
        )}
      </span>
    </li>
  );
}
