/** The lines of a patch that a thread is about. */
import { text } from "../../text/reviews.ts";
import { SourceText } from "../contents/source-text.tsx";
import styles from "./threads.module.css";

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };

export function Excerpt({ patch }: { patch: string }) {
  if (patch === "") return null;
  return (
    <div className={styles.excerpt} role="group" aria-label={text.excerpt}>
      {patch
        .replace(/\n$/, "")
        .split("\n")
        .filter((line) => !/^(?:@@|\\)/.test(line))
        .map((line, index) => (
          <div key={index} data-kind={kinds[line[0] ?? ""] ?? "context"}>
            <span aria-hidden>{line[0] === "-" ? "−" : (line[0] ?? " ")}</span>
            <code>
              <SourceText text={line.slice(1)} />
            </code>
          </div>
        ))}
    </div>
  );
}
