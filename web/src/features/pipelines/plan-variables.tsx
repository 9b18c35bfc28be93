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
        {variables.map(({ name, level, environment = "", value }) => (
          <div key={`${name} ${environment}`}>
            <dt>
              <code>{name}</code>{" "}
              <span className={styles.level}>{`${text.levels[level]} ${environment}`.trim()}</span>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
