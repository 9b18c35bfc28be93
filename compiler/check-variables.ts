/** `$CI_…` in scripts that no step ever finds: misspelt, or as another system calls it. Others may come from an image. */
import { stepVariables } from "@forgeline/schemas/pipeline-file/step-variables.ts";
import { spanInFile } from "./align-scalar.ts";
import { counterpartOf, isStepVariable } from "./other-variables.ts";
import { isScript } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { Source } from "./source.ts";
import { nearest } from "./suggest.ts";
import type { ScalarNode, TreeNode } from "./tree.ts";

/** Adds W908, once for each name in a script. */
export function warnUnknownVariables(node: TreeNode, report: Report, source: Source): void {
  visit(node, [], (script) => {
    for (const { name, start, end } of unknownIn(script.text)) {
      const hint = hintFor(name);
      if (hint === null) continue;
      const span = script.given ?? spanInFile(script.span.source ?? source, script, { start, end });
      report.add("W908", span, { message: `steps have no variable ${name}`, hint });
    }
  });
}

function visit(node: TreeNode, path: Path, found: (script: ScalarNode) => void): void {
  if (node.kind === "seq") node.items.forEach((item, i) => visit(item, [...path, i], found));
  else if (node.kind === "map")
    for (const { key, value } of node.entries.values()) visit(value, [...path, key], found);
  else if (typeof node.value === "string" && isScript(path)) found(node);
}

interface Use {
  name: string;
  start: number;
  end: number;
}

/** Who gives a default knows that it may be absent, and so does who sets it or names it without a sign. */
function unknownIn(script: string): Use[] {
  const named = new Set([...script.matchAll(/(?<![$\w{:])CI_[A-Z0-9_]+/g)].map(([name]) => name));
  const uses = new Map<string, Use>();
  for (const found of script.matchAll(/(?<!\\)\$(?:env:)?(\{?)(CI_[A-Z0-9_]+)(:?[-+=])?/g)) {
    const [all, brace, name = "", operation] = found;
    const hasDefault = brace !== "" && operation !== undefined;
    if (hasDefault || isStepVariable(name) || named.has(name) || uses.has(name)) continue;
    const start = found.index + all.indexOf(name);
    uses.set(name, { name, start, end: start + name.length });
  }
  return [...uses.values()];
}

/** null: nobody knows the name, so it may well be the author's own. */
function hintFor(name: string): string | null {
  const counterpart = counterpartOf(name);
  if (counterpart !== undefined) return `it is called ${counterpart} here`;
  const plain = stepVariables.map((known) => known.slice(3));
  const near = nearest(name.slice(3), plain);
  return near === null ? null : `did you mean "$CI_${near}"?`;
}
