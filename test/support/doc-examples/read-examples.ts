/**
 * Finds the examples of pipeline files in the pages of the docs: fenced blocks of YAML, and the column "Example" of the tables of
 * keys. A comment before a block says what the text does not:
 * `<!-- example: PART; options -->`, with PART `file` (the default), `template PATH`, a part of a file as in `parts.ts`,
 * `each PART` (every line is one) or `other` (no pipeline file). Options: `with NAME=VALUE` (an input or output),
 * `never JOB` (what the text says never runs here), `says CODE` (the diagnostic that the text announces; in a table, the code in brackets).
 */
import { readdirSync, readFileSync } from "node:fs";
import { partOfTable, type Part } from "./parts.ts";

export interface Example {
  /** Page and line, for people. */
  at: string;
  part: Part | "file" | "template" | "other";
  /** Of a template. */
  path: string | null;
  text: string;
  options: { name: string; value: string }[];
}

const root = new URL("../../../", import.meta.url);

function pages(): string[] {
  const below = (folder: string) =>
    readdirSync(new URL(folder, root), { encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}${name}`);
  return ["README.md", ...["docs/", "docs/pipelines/", "docs/operations/"].flatMap(below)].toSorted();
}

/** Of all pages but the one of errors, whose examples are wrong on purpose. */
export function readExamples(): Example[] {
  return pages()
    .filter((page) => page !== "docs/pipelines/errors.md")
    .flatMap((page) => {
      const lines = readFileSync(new URL(page, root), "utf8").split("\n");
      return [...blocksOf(page, lines), ...cellsOf(page, lines)];
    });
}

function blocksOf(page: string, lines: readonly string[]): Example[] {
  return lines.flatMap((line, start) => {
    if (line !== "```yaml") return [];
    const length = lines.slice(start + 1).indexOf("```");
    const body = lines.slice(start + 1, start + 1 + length);
    const marker = /^<!-- example: (.+) -->$/.exec(lines[start - 1] ?? "")?.[1] ?? "file";
    const at = `${page}:${start + 1}`;
    return [...examplesOf(marker, body)].map((example) => ({ at, ...example }));
  });
}

function examplesOf(marker: string, body: readonly string[]): Omit<Example, "at">[] {
  const [kind = "file", ...given] = marker.split("; ");
  const options = given.map((option) => {
    const [name = "", value = ""] = option.split(/ (.*)/s);
    return { name, value };
  });
  const [first = "", second = ""] = kind.split(" ");
  if (first === "each") return body.map((text) => ({ part: second as Part, path: null, text, options }));
  const path = first === "template" ? second : null;
  return [{ part: first as Example["part"], path, text: body.join("\n"), options }];
}

/** Every piece of code in the last column of a table whose head says `Example` there. */
function cellsOf(page: string, lines: readonly string[]): Example[] {
  let heading = "";
  let inBlock = false;
  let inTable = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith("```")) inBlock = !inBlock;
    if (line.startsWith("#") && !inBlock) heading = line.replace(/^#+ /, "");
    if (!line.startsWith("|")) inTable = false;
    if (line.endsWith("| Example |")) inTable = true;
    const cells = line.split(/(?<!\\)\|/);
    if (!inTable || /^\|(-|.*\| Example \|$)/.test(line)) return [];
    const [, keys = ""] = cells;
    const part = partOfTable(page, heading);
    const key = /`(\w+)`/.exec(keys)?.[1] ?? "";
    return [...(cells.at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => ({
      at: `${page}:${index + 1}`,
      path: null,
      ...(code.startsWith("- ")
        ? { part: "job" as const, text: `steps: [${code.slice(2)}]` }
        : { part, text: isWhole(code, keys) ? code : `${key}: ${code}` }),
      options: [...line.matchAll(/\((W\d{3})\)/g)].map(([, value = ""]) => ({ name: "says", value })),
    }));
  });
}

/** Not the value alone. Several keys in one row are shown together. */
function isWhole(code: string, keys: string): boolean {
  return /^[\w-]+:/.test(code) || (code.startsWith("{") && keys.split(", ").length > 1);
}
