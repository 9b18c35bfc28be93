/** The changed lines of a file, with their numbers before and after. */
import { Fragment } from "react";
import { text } from "../../text/commits.ts";
import styles from "./changed-files.module.css";
import type { Hunk, PatchLine } from "./parse-patch.ts";

const signs: Record<PatchLine["kind"], string> = { context: " ", added: "+", removed: "−" };

export function DiffTable({ hunks, path }: { hunks: readonly Hunk[]; path: string }) {
  return (
    <table className={styles.diff}>
      <caption className="visually-hidden">{text.changesOf(path)}</caption>
      <colgroup>
        <col className={styles.numbers} />
        <col className={styles.numbers} />
        <col className={styles.sign} />
        <col />
      </colgroup>
      <tbody>
        {hunks.map((hunk, index) => (
          <Fragment key={index}>
            <tr>
              <td colSpan={4} className={styles.hunk}>
                {hunk.head} {hunk.within}
              </td>
            </tr>
            {hunk.lines.map((line, at) => (
              <Line key={at} line={line} />
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: PatchLine }) {
  return (
    <tr data-kind={line.kind}>
      <td className={styles.number}>{line.before}</td>
      <td className={styles.number}>{line.after}</td>
      <td className={styles.mark}>{signs[line.kind]}</td>
      <td className={styles.text}>
        {line.text}
        {line.isUnended ? <span className={styles.unended}> {text.unended}</span> : null}
      </td>
    </tr>
  );
}
