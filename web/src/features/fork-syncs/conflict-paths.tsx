/** Files that both sides have changed, by branch. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/fork-syncs.ts";
import styles from "./fork-syncs.module.css";

export function ConflictPaths({ conflicts }: { conflicts: readonly Schemas["ForkConflict"][] }) {
  return (
    <ul className={styles.plain}>
      {conflicts.map(({ branch, paths }) => (
        <li key={branch}>
          {text.conflictIn(branch)}
          <ul>
            {paths.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
