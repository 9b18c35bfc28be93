/** Source text, in which characters that nobody sees or that reorder it are marked by their code. */
import { Fragment } from "react";
import { hasHidden, partsWithHidden } from "./hidden-characters.ts";
import styles from "./source-text.module.css";

export function SourceText({ text }: { text: string }) {
  if (!hasHidden(text)) return text;
  return partsWithHidden(text).map(({ text: part, code }, index) =>
    code === undefined ? (
      part
    ) : (
      // Its effect ends with the element; the code is no part of what is copied.
      <bdi key={index} className={styles.hidden} data-code={code} title={code}>
        {part}
      </bdi>
    ),
  );
}

/** The same for several lines: the ends of lines are none of the characters that are marked. */
export function SourceLines({ text }: { text: string }) {
  if (!hasHidden(text.replaceAll(/\r?\n/g, ""))) return text;
  return text
    .split(/(\r?\n)/)
    .map((part, index) =>
      index % 2 === 1 ? <Fragment key={index}>{part}</Fragment> : <SourceText key={index} text={part} />,
    );
}
