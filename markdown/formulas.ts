/** Formulas as GitHub reads them, on top of what the extension of micromark finds. */
import type { Element, Root } from "hast";
import { classesOf, eachElement, wordsOf } from "./walk.ts";

export type FormulaForm = "inline" | "display";

/** The formula in an element of code: `$x$` within a line, `$$` lines and blocks of the language `math` on their own. */
export function formulaOf(code: Element): FormulaForm | undefined {
  const classes = classesOf(code);
  if (!classes.includes("language-math")) return undefined;
  return classes.includes("math-inline") ? "inline" : "display";
}

/** `` $`x`$ `` is GitHub's way to write what would otherwise be Markdown; the backticks are no part of it. */
export function stripBackticks(root: Root): void {
  eachElement(root, (element) => {
    if (element.tagName !== "code" || formulaOf(element) !== "inline") return;
    const words = /^`(.+)`$/s.exec(wordsOf(element))?.[1];
    if (words !== undefined) element.children = [{ type: "text", value: words }];
  });
}
