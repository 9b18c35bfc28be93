/** A kind of dependency as the graph draws it, and its name. */
import { text } from "../../../text/dependencies.ts";
import styles from "./dependencies.module.css";
import { kindStyles } from "./kind-styles.ts";
import type { Kind } from "./packages.ts";

export function KindMark({ kind }: { kind: Kind }) {
  const { colour, isFilled } = kindStyles[kind];
  return (
    <span className={styles.kind}>
      <svg viewBox="-7 -7 14 14" aria-hidden>
        <circle r="5" strokeWidth="2" className={styles.mark} data-colour={colour} data-filled={isFilled} />
      </svg>
      {text.kinds[kind]}
    </span>
  );
}
