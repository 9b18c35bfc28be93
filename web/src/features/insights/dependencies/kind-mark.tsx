/** A kind of dependency as the graph draws it, and its name. */
import { text } from "../../../text/dependencies.ts";
import styles from "./dependencies.module.css";
import type { Kind } from "./packages.ts";
import { looks } from "./palette.ts";

export function KindMark({ kind }: { kind: Kind }) {
  const { colour, isFilled } = looks[kind];
  return (
    <span className={styles.kind}>
      <span className={styles.mark} data-colour={colour} data-filled={isFilled} aria-hidden />
      {text.kinds[kind]}
    </span>
  );
}
