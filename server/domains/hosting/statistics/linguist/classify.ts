/**
 * The language of a file, by Linguist's rules: `.gitattributes`, then name, `#!` line, extension and heuristics. A pure
 * function of path, attributes and content, so that what was added can be subtracted again.
 */
import type { Language, LinguistData } from "./data.ts";
import { isGeneratedText } from "./generated-text.ts";

export const linguistAttributes = [
  "linguist-detectable",
  "linguist-documentation",
  "linguist-generated",
  "linguist-language",
  "linguist-vendored",
] as const;
export const attributePrefix = "linguist-";

type FileAttributes = Partial<Readonly<Record<string, string>>>;

export interface FileContent {
  sizeBytes: number;
  /** null when it is larger than `maxContentBytes`. */
  bytes: Buffer | null;
}

/** Larger files are classified by name alone. */
export const maxContentBytes = 1024 * 1024;
/** Larger ones are not counted. */
const maxCountedBytes = 10 * 1024 * 1024;
const heuristicBytes = 16 * 1024;

/** Whether the file may count, before its content is looked at. */
export function mayCount(data: LinguistData, path: string, attributes: FileAttributes): boolean {
  if (flag(attributes["linguist-detectable"]) === false) return false;
  const excluded = (name: string, pattern: RegExp) =>
    flag(attributes[`linguist-${name}`]) ?? pattern.test(path);
  return !(
    excluded("vendored", data.vendored) ||
    excluded("documentation", data.documentation) ||
    excluded("generated", data.generated)
  );
}

/** The language that the bytes count for; undefined if they do not count. Only for files that may count. */
export function classify(
  data: LinguistData,
  { path, attributes }: { path: string; attributes: FileAttributes },
  content: FileContent,
): Language | undefined {
  if (content.sizeBytes === 0 || content.sizeBytes > maxCountedBytes) return undefined;
  const { bytes } = content;
  if (bytes?.subarray(0, 8000).includes(0)) return undefined;
  const text = bytes?.toString("utf8", 0, heuristicBytes);
  const isOurs = flag(attributes["linguist-generated"]) === false;
  if (bytes && text !== undefined && !isOurs && isGeneratedText(path, bytes, text)) return undefined;
  const chosen = data.named.get((attributes["linguist-language"] ?? "").replaceAll("-", " ").toLowerCase());
  const literal = data.named.get((attributes["linguist-language"] ?? "").toLowerCase());
  const name = literal ?? chosen ?? detect(data, path, text);
  const language = name === undefined ? undefined : data.languages.get(name);
  if (!language || !(language.counts || flag(attributes["linguist-detectable"]))) return undefined;
  return data.languages.get(language.group) ?? language;
}

/** undefined: not specified. */
export function flag(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  return value !== "unset" && value !== "false";
}

function detect(data: LinguistData, path: string, text: string | undefined): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const byName = data.byFilename.get(name);
  if (byName?.length === 1) return byName[0];
  const byFirstLine = text === undefined ? [] : (data.byInterpreter.get(interpreterOf(text)) ?? []);
  if (byFirstLine.length === 1) return byFirstLine[0];
  for (const extension of extensionsOf(name)) {
    const candidates = data.byExtension.get(extension);
    if (!candidates) continue;
    const narrowed = candidates.filter((one) => byFirstLine.includes(one));
    return choose(data, { extension, candidates: narrowed.length > 0 ? narrowed : candidates, text });
  }
  return byName?.[0] ?? byFirstLine[0];
}

/** Longest first: `.d.ts`, then `.ts`. */
function extensionsOf(name: string): string[] {
  const parts = name.toLowerCase().split(".").slice(1);
  return parts.map((_, index) => `.${parts.slice(index).join(".")}`);
}

/** `#!/usr/bin/env python3.11` → `python3`; "" where there is none. */
function interpreterOf(text: string): string {
  if (!text.startsWith("#!")) return "";
  const end = text.indexOf("\n");
  const words = text
    .slice(2, end < 0 ? 200 : Math.min(end, 200))
    .trim()
    .split(/\s+/);
  const program = words[0]?.split("/").at(-1) ?? "";
  const named = program === "env" ? words.slice(1).find((word) => !/^-|=/.test(word)) : program;
  return (named?.split("/").at(-1) ?? "").replace(/(\.\d+)+$/, "");
}

interface Choice {
  extension: string;
  candidates: readonly string[];
  text: string | undefined;
}

function choose(data: LinguistData, { extension, candidates, text }: Choice): string | undefined {
  if (candidates.length === 1) return candidates[0];
  if (text !== undefined) {
    for (const { holds, languages } of data.heuristics.get(extension) ?? []) {
      const language = languages.find((one) => candidates.includes(one));
      const found = holds.every(
        ({ any, negative }) => any.some((one) => one.matcher(text).find()) !== negative,
      );
      if (language !== undefined && found) return language;
    }
  }
  return candidates.find((one) => data.ownExtension.get(one) === extension) ?? candidates[0];
}
