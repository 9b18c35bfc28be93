/** The variables that a run would have, each with where it comes from. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/run-dialog.ts";
import styles from "./plan-variables.module.css";

export function PlanVariables({ variables }: { variables: readonly Schemas["RunVariable"][] }) {
  if (variables.length === 0) return null;
  return (
    <section aria-label={text.previewVariables}>
      <h3>{text.previewVariables}</h3>
      <dl className={styles.variables}>
        {variables.map(({ name, level, environment = "", jobs, file_sets_in: fileSets, value }) => (
          <div key={`${name} ${environment}`}>
            <dt>
              <code>{name}</code>{" "}
              <span className={styles.level}>
                {`${text.levels[level]} ${environment}`.trim()}
                {jobs ? ` (${jobs.join(", ")})` : null}
                {fileSets ? ` ${text.fileWins(fileSets.join(", "))}` : null}
              </span>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
