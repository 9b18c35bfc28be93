/** A formula in TeX, drawn as MathML. What draws it is fetched when the first one is shown. */
import { useCallback } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/markdown.ts";
import styles from "./markdown.module.css";

/** Give it its source as its `key`: what was drawn is not drawn over. */
export function Formula({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const draw = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      void fetchPart(() => import("./draw-formula.ts")).then(({ drawFormula }) => {
        const problem = element.isConnected ? drawFormula(element, source, isDisplay) : undefined;
        if (problem !== undefined) element.title = text.formulaFailed(problem);
      });
    },
    [source, isDisplay],
  );
  return (
    <code ref={draw} className={isDisplay ? styles.display : styles.formula}>
      {source}
    </code>
  );
}
