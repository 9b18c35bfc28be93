/** Source text, in which characters that nobody sees or that reorder it are marked by their code. */
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
