/** Which lines tests have covered: Cobertura, JaCoCo or LCOV, told apart by their content. Pure. */
import { maxCoverageFiles, maxPathChars } from "@forgeline/schemas/reports/limits.ts";
import { ReportError, type FoundReports } from "./found.ts";
import { decodeText, shortened } from "./report-text.ts";
import { readXml } from "./xml.ts";

/** Of one file: lines that could be covered, and whether they were. */
type Lines = Map<number, boolean>;

/** Adds the files to what is found; what is wrong. Throws `ReportError`. */
export function collectCoverage(bytes: Uint8Array, found: FoundReports): string[] {
  const files = isXml(bytes) ? readXmlCoverage(bytes) : readLcov(decodeText(bytes));
  if (files.size === 0) throw new ReportError("it names no file: it must be Cobertura, JaCoCo or LCOV");
  let isFull = false;
  for (const [path, lines] of files) {
    if (lines.size === 0) continue;
    if (found.coverage.length >= maxCoverageFiles) isFull = true;
    else
      found.coverage.push({
        path,
        covered: [...lines.values()].filter(Boolean).length,
        total: lines.size,
      });
  }
  return isFull ? [`a job can report the coverage of ${maxCoverageFiles} files; the rest was left out`] : [];
}

/** By its first character; names of files in LCOV may hold any. */
function isXml(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /^(?:ï»¿|ÿþ|þÿ)?[\s\0]*</.test(head);
}

function linesOf(files: Map<string, Lines>, written: string): Lines {
  const path = shortened(written.replaceAll("\\", "/").replace(/^\/workspace\//, ""), maxPathChars);
  const lines = files.get(path) ?? new Map<number, boolean>();
  files.set(path, lines);
  return lines;
}

/** A line of which several parts are told is covered if one of them is. */
function add(lines: Lines | undefined, number: number, isCovered: boolean): void {
  if (lines && Number.isSafeInteger(number)) lines.set(number, isCovered || lines.get(number) === true);
}

function readXmlCoverage(bytes: Uint8Array): Map<string, Lines> {
  const files = new Map<string, Lines>();
  const path: string[] = [];
  let kind = "";
  let packageName = "";
  let current: Lines | undefined;
  readXml(bytes, {
    open(name, attributes) {
      if (path.length === 0) kind = kindOf(name);
      const parent = path.at(-1);
      path.push(name);
      if (name === "package") packageName = attributes["name"] ?? "";
      else if (kind === "cobertura" && name === "class")
        current = linesOf(files, attributes["filename"] ?? "?");
      else if (kind === "jacoco" && name === "sourcefile")
        current = linesOf(files, [packageName, attributes["name"] ?? "?"].filter(Boolean).join("/"));
      else if (name === "line" && kind === "cobertura")
        add(current, Number(attributes["number"]), Number(attributes["hits"]) > 0);
      else if (name === "line" && parent === "sourcefile")
        add(current, Number(attributes["nr"]), Number(attributes["ci"]) > 0);
    },
    text: () => undefined,
    close(name) {
      path.pop();
      if (name === "class" || name === "sourcefile") current = undefined;
    },
  });
  return files;
}

function kindOf(root: string): "cobertura" | "jacoco" {
  if (root === "coverage") return "cobertura";
  if (root === "report") return "jacoco";
  throw new ReportError(
    `it begins with <${shortened(root, 40)}>, not with <coverage> (Cobertura) or <report> (JaCoCo)`,
  );
}

function readLcov(text: string): Map<string, Lines> {
  const files = new Map<string, Lines>();
  let current: Lines | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("SF:")) current = linesOf(files, line.slice(3).trim());
    else if (line.startsWith("end_of_record")) current = undefined;
    else if (line.startsWith("DA:")) {
      const [number = "", hits = ""] = line.slice(3).split(",");
      add(current, Number(number), Number(hits) > 0);
    }
  }
  return files;
}
