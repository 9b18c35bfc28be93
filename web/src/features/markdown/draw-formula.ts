/** Draws formulas with KaTeX, as MathML: that needs neither fonts nor styles of its own. */
import katex from "katex";

/** Answers what is wrong with the formula; then it stays as it was written. */
export function drawFormula(element: HTMLElement, source: string, isDisplay: boolean): string | undefined {
  const drawn = document.createElement("span");
  try {
    katex.render(source, drawn, {
      output: "mathml",
      displayMode: isDisplay,
      // Nothing in a formula leads elsewhere or has a style.
      trust: false,
      strict: "ignore",
      errorColor: "currentcolor",
      maxExpand: 200,
      maxSize: 20,
    });
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : undefined;
  }
  element.replaceChildren(drawn);
  return undefined;
}
