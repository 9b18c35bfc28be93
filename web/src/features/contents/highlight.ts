/** Colours for source text, as pieces with a class each; large, so pages fetch it when they first show code. */
import { common, createLowlight } from "lowlight";
import type { CodeLine, Piece } from "./code-line.ts";

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

const lowlight = createLowlight(common);
const byFileName: Record<string, string> = {
  makefile: "makefile",
  dockerfile: "bash",
  containerfile: "bash",
};

/** The language of a file, by its name; undefined for those that are not known. */
export function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const ending = lower.includes(".") ? lower.slice(lower.lastIndexOf(".") + 1) : "";
  const language = byFileName[lower] ?? ending;
  return language !== "" && lowlight.registered(language) ? language : undefined;
}

/** Undefined where the language is not known. */
export function highlightLines(text: string, language: string): CodeLine[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const lines: Piece[][] = [[]];
  for (const node of lowlight.highlight(language, text).children) addPieces(lines, node, "");
  return lines;
}

function addPieces(lines: Piece[][], node: Node, className: string): void {
  if (node.type === "text")
    for (const [index, part] of node.value.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, className });
    }
  else if (node.type === "element") {
    const given = node.properties["className"];
    const name = Array.isArray(given) ? given.join(" ") : className;
    for (const child of node.children) addPieces(lines, child, name);
  }
}
