/** Code that pages draw instead of showing it: formulas and diagrams. */
import type { Element, Root } from "hast";
import { classesOf, eachElement, wordsOf } from "./walk.ts";

/** Of one text. What is beyond that is shown as it was written, because drawing takes readers' time. */
const maxFormulas = 500;
const maxFormulaLength = 4_000;
const maxDiagrams = 20;
const maxDiagramLength = 50_000;

export type DrawnCode = "formula" | "display-formula" | "diagram";

/** What the element of code is to be drawn as. */
export function drawnCodeOf(code: Element): DrawnCode | undefined {
  const classes = classesOf(code);
  if (classes.includes("language-mermaid")) return "diagram";
  if (!classes.includes("language-math")) return undefined;
  return classes.includes("math-inline") ? "formula" : "display-formula";
}

export function boundDrawnCode(root: Root): void {
  let formulas = 0;
  let diagrams = 0;
  eachElement(root, (element) => {
    if (element.tagName !== "code") return;
    const kind = drawnCodeOf(element);
    if (kind === undefined) return;
    const isDiagram = kind === "diagram";
    const count = isDiagram ? ++diagrams : ++formulas;
    const { length } = wordsOf(element);
    if (count > (isDiagram ? maxDiagrams : maxFormulas)) delete element.properties["className"];
    if (length > (isDiagram ? maxDiagramLength : maxFormulaLength)) delete element.properties["className"];
  });
}
