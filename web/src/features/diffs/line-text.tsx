/** The text of a line: coloured, with the words that changed, and with what nobody would see marked. */
import { SourceText } from "../contents/source-text.tsx";
import "../contents/highlight.css";
import type { CodeLine } from "../contents/highlight.ts";
import { text } from "../../text/diffs.ts";
import styles from "./diff-table.module.css";
import { paintLine } from "./paint-line.ts";
import type { PatchLine } from "./parse-patch.ts";
import type { Span } from "./word-diff.ts";

export interface LineLook {
  colors: CodeLine | undefined;
  words: readonly Span[] | undefined;
}

export function LineText({ line, look }: { line: PatchLine; look: LineLook }) {
  const painted = paintLine(line.text, {
    ...(look.colors ? { colors: look.colors } : {}),
    ...(look.words ? { changed: look.words } : {}),
  });
  return (
    <>
      {painted.map(({ text: part, className, isChanged }, index) => {
        const shown = <SourceText key={index} text={part} />;
        if (className === "" && !isChanged) return shown;
        return (
          <span key={index} className={isChanged ? `${className} ${styles.changed}` : className}>
            {shown}
          </span>
        );
      })}
      {line.isUnended ? <span className={styles.unended}> {text.unended}</span> : null}
    </>
  );
}
