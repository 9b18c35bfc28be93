/**
 * The file that `$CI_ANNOTATIONS` names: one annotation a line, as JSON, as `LEVEL KEY=VALUE …::MESSAGE`, or as GitHub has them,
 * `::LEVEL KEY=VALUE,…::MESSAGE`. Pure. What cannot be understood is told with its line, and the rest is taken.
 */
import {
  maxMessageChars,
  maxPathChars,
  maxStepAnnotations,
  maxTitleChars,
} from "@forgeline/schemas/reports/limits.ts";
import { annotationLevels, type AnnotationLevel } from "@forgeline/schemas/reports/resource.ts";
import { z } from "zod";
import { shortened, shortenedOrNull } from "./report-text.ts";
import type { FoundAnnotation } from "./found.ts";

export interface ReadAnnotations {
  annotations: FoundAnnotation[];
  problems: string[];
}

const maxProblems = 5;
const maxLine = 10_000_000;
const lineNumber = z.coerce.number().int().min(1).max(maxLine);

/** As written in JSON; the other form has the same keys. */
const Written = z.strictObject({
  level: z.enum(annotationLevels).default("notice"),
  file: z.string().optional(),
  line: lineNumber.optional(),
  end_line: lineNumber.optional(),
  title: z.string().optional(),
  message: z.string().min(1),
});

/** At most as many as a step may have; that there were more is a problem too. */
export function readAnnotations(text: string, step: number | null): ReadAnnotations {
  const annotations: FoundAnnotation[] = [];
  const problems: string[] = [];
  let number = 0;
  for (const written of text.split(/\r?\n/)) {
    number += 1;
    if (written.trim() === "") continue;
    if (annotations.length >= maxStepAnnotations) {
      problems.push(
        `line ${number}: a step can have ${maxStepAnnotations} annotations; the rest was left out`,
      );
      break;
    }
    const read = readLine(written.trim());
    if (typeof read === "string") {
      if (problems.length < maxProblems) problems.push(`line ${number}: ${read}`);
    } else annotations.push({ ...read, step });
  }
  return { annotations, problems };
}

/** The annotation, or what is wrong with it. */
function readLine(line: string): Omit<FoundAnnotation, "step"> | string {
  const values = line.startsWith("{") ? jsonValues(line) : commandValues(line);
  if (typeof values === "string") return values;
  const checked = Written.safeParse(values);
  if (!checked.success) return problemOf(checked.error);
  const { level, file, line: first = null, end_line: last, title, message } = checked.data;
  const path = pathOf(file);
  if (file !== undefined && path === null) return `"file" must be a path in the repository`;
  if (first !== null && path === null) return `"line" needs "file"`;
  return {
    level,
    path,
    line: first,
    endLine: first === null ? null : Math.max(first, last ?? first),
    title: shortenedOrNull(title, maxTitleChars),
    message: shortened(message, maxMessageChars),
    source: null,
  };
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const key = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys") return `there is no key "${shortened(issue.keys[0] ?? "", 40)}"`;
  if (key === "message") return "it has no message";
  if (key === "level") return `the level must be one of ${annotationLevels.join(", ")}`;
  return `"${key}" must be ${key.endsWith("line") ? "the number of a line, from 1" : "text"}`;
}

function jsonValues(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return "it begins with { but is not JSON";
  }
}

interface Form {
  /** What stands before a key, the key, and its value in quotes or without. A value ends before the next key. */
  pair: RegExp;
  decoded(text: string): string;
}

/** `error file=a.ts line=3 title="A b"::What is wrong`; `\n` in the message is a new line. */
const ours: Form = {
  pair: /[\s,]+(\w+)=(?:"((?:[^"\\]|\\.)*)"|((?:(?!, ?\w+=)\S)*))/y,
  decoded: unescaped,
};
/** `::error file=a b.ts,line=3::What is wrong`; values have spaces without quotes, and `%2C` for a comma. */
const gitHubs: Form = {
  pair: /[\s,]+(\w+)=(?:"((?:[^"\\]|\\.)*)"|((?:(?!(?:, ?| )\w+=)[^])*))/y,
  decoded: (text) =>
    text.replaceAll(/%(25|0D|0A|3A|2C)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
};
const keysOfGitHub: Readonly<Record<string, string | null>> = {
  endLine: "end_line",
  col: null,
  endColumn: null,
};

function commandValues(written: string): Record<string, string> | string {
  const form = written.startsWith("::") ? gitHubs : ours;
  const line = form === gitHubs ? written.slice(2) : written;
  const end = line.indexOf("::");
  if (end === -1) return 'write it as JSON, or as "LEVEL file=PATH line=NUMBER::MESSAGE"';
  const head = line.slice(0, end).trimEnd();
  const level = /^\w+/.exec(head)?.[0] ?? "";
  if (!isLevel(level)) return `the level must be one of ${annotationLevels.join(", ")}`;
  const values: Record<string, string> = { level, message: form.decoded(line.slice(end + 2).trim()) };
  const { pair } = form;
  pair.lastIndex = level.length;
  for (let at = level.length; at < head.length; at = pair.lastIndex) {
    const [, found = "", quoted, plain = ""] = pair.exec(head) ?? [];
    const key = Object.hasOwn(keysOfGitHub, found) ? keysOfGitHub[found] : found;
    if (key === null || key === undefined) continue;
    if (key === "") return `"${shortened(head.slice(at).trim(), 40)}" is not of the form KEY=VALUE`;
    if (key === "message" || key === "level") return `there is no key "${key}"`;
    values[key] = quoted !== undefined ? unescaped(quoted) : form === gitHubs ? form.decoded(plain) : plain;
  }
  return values;
}

function isLevel(word: string): word is AnnotationLevel {
  return annotationLevels.some((level) => level === word);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}

/** Relative to the checkout, also where a tool wrote it in full; null where it is no path in there. */
export function pathOf(written: string | undefined): string | null {
  if (written === undefined) return null;
  const path = written
    .replaceAll("\\", "/")
    .replace(/^\/workspace\//, "")
    .replace(/^(?:\.\/)+/, "");
  const isInside = path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
  return isInside && path.length <= maxPathChars && !path.includes("\0") ? path.toWellFormed() : null;
}
