/** One schema issue to the diagnostics an author understands: deepest cause, in words, with a hint. */
import type { z } from "zod";
import type { Report } from "./report.ts";
import { isCommand, withoutEchoes } from "./echoes.ts";
import { hintOf, nearWord, ourWord, valueHint } from "./other-words.ts";
import { objectKind, placeName } from "./path-kinds.ts";
import { joinWithOr, nearest, quote, suggestion } from "./suggest.ts";
import type { Path } from "./path.ts";
import { nodeAt, spanOfKey, spanOfValue, type TreeNode } from "./tree.ts";

export type Issue = z.core.$ZodIssue;

interface Explained {
  tree: TreeNode;
  report: Report;
  /** Known keys of the object at a path, for suggestions. */
  keysAt: (path: Path) => readonly string[];
}

/** Reports the issue. Returns the paths whose values are wrong and must not be judged further. */
export function explainIssue(issue: Issue, context: Explained, base: Path = []): Path[] {
  const path = [...base, ...(issue.path as Path)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => explainUnknownKey([...path, key], context));
    case "invalid_union":
      return explainUnion(issue, path, context);
    case "invalid_key": {
      const message = issue.issues[0]?.message ?? "a name";
      const text = `${quote(String(path.at(-1)))} must be ${message}`;
      context.report.add("P103", spanOfKey(context.tree, path), { message: text });
      return [path];
    }
    case "too_big":
    case "too_small":
      return explainSize(issue, path, context);
    default:
      return [explainValue(issue, path, context)];
  }
}

function explainUnknownKey(path: Path, { tree, report, keysAt }: Explained): Path {
  const key = String(path.at(-1));
  const owner = path.slice(0, -1);
  const span = spanOfKey(tree, path);
  const kind = objectKind(owner);
  const keys = keysAt(owner);
  // Our own keys go first; a slip in a word of another system leads to its counterpart.
  const ours = ourWord(kind, key) ?? (nearest(key, keys) === null ? nearWord(kind, key) : undefined);
  const known = ours === undefined ? suggestion(key, keys, "Keys here") : hintOf(ours);
  const hint = (kind === "step" ? commandHint(nodeAt(tree, owner), key) : null) ?? known;
  report.add("P101", span, { message: `unknown key ${quote(key)} in ${placeName(owner)}`, hint });
  return path;
}

/** For a command that YAML reads as a mapping, because of a colon in it. */
function commandHint(step: TreeNode | undefined, key: string): string | null {
  if (!isCommand(key) || step?.kind !== "map") return null;
  const value = step.entries.get(key)?.value;
  const rest = value?.kind === "scalar" ? value.text : "…";
  const line = `${key}: ${rest}`.trimEnd().replaceAll("'", "''");
  return `YAML reads a line with a colon and a space as a mapping; put it in quotes: '${line}'`;
}

/** Goes into the form that the author chose; when none fits, names all forms. */
function explainUnion(issue: Issue & { code: "invalid_union" }, path: Path, context: Explained): Path[] {
  const value = nodeAt(context.tree, path);
  const fitting = issue.errors.filter((branch) => branch.length > 0 && !branch.some(isWrongKind));
  const complete = fitting.filter((branch) => !branch.some((inner) => lacksKey(inner, value)));
  const deep = fitting.length > 0 ? fitting : issue.errors.filter((branch) => branch.some(isDeepUnion));
  const chosen = complete.length > 0 ? complete : deep;
  const best = chosen.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
  if (best) {
    const own = withoutEchoes(withoutSizes(best), context.tree, path);
    return own.flatMap((inner) => explainIssue(inner, context, path));
  }
  const kinds = [...new Set(issue.errors.flat().flatMap(kindsOf))];
  const span = spanOfValue(context.tree, path);
  const message = `${subject(path)} must be ${joinWithOr(kinds)}${shown(value)}`;
  const written = value?.kind === "scalar" ? value.text : "";
  const hint = quotesHint(value, kinds) ?? valueHint(keyName(path), written) ?? null;
  context.report.add("P103", span, { message, hint });
  return [path];
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

/** Text has a length too: one that stands where a list belongs is not also called too short. */
function withoutSizes(issues: readonly Issue[]): Issue[] {
  const wrongKind = issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join("."));
  return issues.filter(({ code, path }) => code !== "too_small" || !wrongKind.includes(path.join(".")));
}

/** Of several mappings, the author means one whose keys are there. */
function lacksKey({ code, path }: Issue, value: TreeNode | undefined): boolean {
  const [key] = path as Path;
  return (
    code === "invalid_type" && path.length === 1 && value?.kind === "map" && !value.entries.has(String(key))
  );
}

function isDeepUnion(issue: Issue): boolean {
  return issue.path.length > 0;
}

function depth(branch: readonly Issue[]): number {
  return Math.max(...branch.map((issue) => issue.path.length));
}

/** What a branch of a union would have taken, in words. */
function kindsOf(issue: Issue): string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap(kindsOf);
  if (issue.code === "invalid_value") return issue.values.map((value) => String(value));
  if (issue.code === "invalid_type") return [kindWord(issue.expected)];
  return [];
}

const kindWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  null: "empty",
};
function kindWord(expected: string): string {
  return kindWords[expected] ?? expected;
}

function explainSize(
  issue: Issue & { code: "too_big" | "too_small" },
  path: Path,
  context: Explained,
): Path[] {
  const { tree, report } = context;
  const isCollection = issue.origin === "array" || issue.origin === "record" || issue.origin === "object";
  if (isCollection && issue.code === "too_big") {
    const node = nodeAt(tree, path);
    const count = node?.kind === "seq" ? node.items.length : 0;
    const text = `${subject(path)} has ${count} entries; at most ${String(issue.maximum)} are allowed`;
    report.add("P305", spanOfKey(tree, path), { message: text });
  } else if (isCollection) {
    const least = issue.code === "too_small" ? Number(issue.minimum) : 1;
    const wanted = least > 1 ? `must have at least ${least} entries` : "must not be empty";
    report.add("P103", spanOfKey(tree, path), { message: `${subject(path)} ${wanted}` });
  } else if (issue.origin === "string") {
    report.add("P103", spanOfValue(tree, path), { message: `${subject(path)} must be ${issue.message}` });
  } else {
    const limit =
      issue.code === "too_big"
        ? `at most ${String(issue.maximum)}`
        : `${issue.inclusive ? "at least" : "more than"} ${String(issue.minimum)}`;
    report.add("P103", spanOfValue(tree, path), { message: `${subject(path)} must be ${limit}` });
  }
  return [path];
}

function explainValue(issue: Issue, path: Path, context: Explained): Path {
  const { tree, report } = context;
  const value = nodeAt(tree, path);
  const span = spanOfValue(tree, path);
  if (value === undefined) {
    const owner = path.slice(0, -1);
    report.add("P108", spanOfKey(tree, owner), {
      message: `${placeName(owner)} is missing the key ${quote(String(path.at(-1)))}`,
    });
  } else if (issue.code === "invalid_type") {
    const own = issue.message.startsWith("Invalid input") ? null : issue.message;
    const kinds = [own ?? kindWord(issue.expected)];
    report.add("P103", span, {
      message: `${subject(path)} must be ${kinds[0]}${shown(value)}`,
      hint: own ? null : quotesHint(value, kinds),
    });
  } else if (issue.code === "invalid_value") {
    const values = issue.values.map((allowed) => String(allowed));
    const written = value.kind === "scalar" ? String(value.value) : "";
    const isTimeless = keyName(path) === "on" && written === "schedule";
    const hint = isTimeless
      ? 'say when: `on: { schedule: [{ cron: "0 3 * * *" }] }`'
      : (valueHint(keyName(path), written) ?? suggestion(written, values, "Allowed"));
    report.add("P103", span, {
      message: `${subject(path)} must be ${joinWithOr(values)}${shown(value)}`,
      hint,
    });
  } else {
    report.add("P103", span, { message: `${subject(path)} must be ${issue.message}${shown(value)}` });
  }
  return path;
}

/** The last key that is a name; indices stand for items of it. */
function keyName(path: Path): string {
  return String(path.findLast((part) => typeof part === "string") ?? "");
}

function subject(path: Path): string {
  const key = keyName(path);
  if (key === "") return "the file";
  return typeof path.at(-1) === "number" ? `an entry of ${quote(key)}` : quote(key);
}

function shown(value: TreeNode | undefined): string {
  if (value === undefined) return "";
  if (value.kind === "seq") return ", not a list";
  if (value.kind === "map") return ", not a mapping";
  if (value.value === null) return ", but is empty";
  return typeof value.value === "string" ? `, not ${quote(value.value)}` : `, not ${value.text}`;
}

function quotesHint(value: TreeNode | undefined, kinds: readonly string[]): string | null {
  const wantsText = kinds.includes("text");
  const isBare = value?.kind === "scalar" && value.value !== null && typeof value.value !== "string";
  return wantsText && isBare ? `put it in quotes: ${JSON.stringify(value.text)}` : null;
}
