/**
 * A pipeline file of another system as one of ours, with notes on all that did not come through whole. Pure: the same limits hold
 * for what is read as for our own files, and what is written has been compiled.
 */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import { buildTree } from "../build-tree.ts";
import { compile } from "../compile.ts";
import { parseYaml } from "../parse-yaml.ts";
import { createReport } from "../report.ts";
import type { MapNode } from "../tree.ts";
import { convertBitbucket } from "./bitbucket/convert.ts";
import { convertGithub } from "./github/convert.ts";
import { convertGitlab } from "./gitlab/convert.ts";
import type { PlainMap } from "./plain.ts";
import { settle } from "./settle.ts";
import { systemTitles, type SourceSystem } from "./systems.ts";
import { createTrace, type ConstructCount, type ConversionNote, type Trace } from "./trace.ts";
import { convertWoodpecker } from "./woodpecker/convert.ts";
import { writeFile } from "./write-file.ts";

export interface ConvertInput {
  /** For messages and the new file's first comment. */
  source: string;
  text: string;
  system: SourceSystem;
  /** Path of the new file, for its diagnostics. */
  path: string;
}

export interface Conversion {
  /** null when the source cannot be read; `problems` says why. */
  text: string | null;
  notes: ConversionNote[];
  /** What is wrong with the source. */
  problems: Diagnostic[];
  /** What our compiler says of the new file. */
  diagnostics: Diagnostic[];
  counts: ReadonlyMap<string, ConstructCount>;
}

const converters: Readonly<Record<SourceSystem, (root: MapNode, trace: Trace) => PlainMap>> = {
  github: convertGithub,
  gitlab: convertGitlab,
  woodpecker: convertWoodpecker,
  bitbucket: convertBitbucket,
};

/** What a file of each system must have at the top, so that another kind of file is not taken for one. */
const marks: Readonly<Record<SourceSystem, { keys: readonly string[]; text: string }>> = {
  github: { keys: ["jobs"], text: '"jobs"' },
  gitlab: { keys: [], text: "jobs" },
  woodpecker: { keys: ["steps", "pipeline"], text: '"steps"' },
  bitbucket: { keys: ["pipelines"], text: '"pipelines"' },
};

/** Never throws for bad text. */
export function convert({ source, text, system, path }: ConvertInput): Conversion {
  const trace = createTrace(source, text);
  const report = createReport(trace.source);
  const references = [{ tag: "!reference", collection: "seq" as const }];
  const document = parseYaml(trace.source, report, system === "gitlab" ? references : []);
  const dialect = { references: system === "gitlab", mergesLists: system === "woodpecker" };
  const tree = document && buildTree(document, report, dialect);
  if (tree && tree.kind !== "map")
    report.add("P003", tree.span, { message: "the file is empty or not a mapping" });
  const { keys, text: wanted } = marks[system];
  if (tree?.kind === "map" && keys.length > 0 && !keys.some((key) => tree.entries.has(key)))
    report.add(
      "P108",
      { start: 0, end: 0 },
      { message: `this is no file of ${systemTitles[system]}: ${wanted} is missing` },
    );
  if (tree?.kind !== "map" || report.hasErrors())
    return { text: null, notes: [], problems: report.list(), diagnostics: [], counts: new Map() };
  const file = settle(converters[system](tree, trace));
  const notes = trace.notes();
  const written = writeFile({ version: 1, ...file }, notes, headingOf(source, system, notes.length));
  return {
    text: written,
    notes: notes.map(({ at: _at, ...note }) => note),
    problems: [],
    diagnostics: compile({ file: path, text: written }).diagnostics,
    counts: trace.counts(),
  };
}

function headingOf(source: string, system: SourceSystem, notes: number): string {
  const name = source.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const left =
    notes === 0
      ? " All of it came through."
      : " Comments that begin with CHECK say what did not come through as it was.";
  return ` Converted from ${name} (${systemTitles[system]}) by "forgeline convert".${notes === 0 ? left : `\n${left}`}`;
}
