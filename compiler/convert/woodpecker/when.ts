/** `when` of Woodpecker: lists of clauses as ours, with events of their own and names of branches with variables. */
import type { TreeNode } from "../../tree.ts";
import { attempt, CannotConvert } from "../cannot.ts";
import { child, entries, items, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import type { Section, Trace } from "../trace.ts";
import { condition, textLiteral, type Typed } from "../typed.ts";
import { translateVariables, type Variables } from "../variable-expression.ts";
import type { Path } from "../../path.ts";

export interface When {
  /** null: no condition. */
  when: Plain;
  /** Our events that it names; null: it names none. */
  events: ReadonlySet<string> | null;
}

const events: Readonly<Record<string, readonly string[]>> = {
  push: ["push"],
  tag: ["tag"],
  release: ["tag"],
  manual: ["manual", "api"],
  cron: ["schedule"],
  pull_request: ["merge_request"],
};

interface Place {
  trace: Trace;
  at: Path;
  construct: string;
}

/** At most so many in a condition. */
const maxClauses = 20;

/** Never matches where no clause comes through: to run what should not is worse. */
export function convertWhen(section: Section, key = "when"): When {
  const node = section.take(key);
  if (node === undefined) return { when: null, events: null };
  const construct = `${section.label}${section.label === "" ? "" : "."}${key}`;
  const place: Place = { trace: section.trace, at: section.at, construct };
  const named = new Set<string>();
  let hasEvents = true;
  const clauses = items(node).flatMap((item) => {
    const written = eventsOf(item, place);
    if (written === null) hasEvents = false;
    for (const event of written ?? []) named.add(event);
    return written !== null && written.length === 0 ? [] : clausesOf(item, written, place);
  });
  const result = hasEvents ? named : null;
  if (clauses.length === 0) return { when: "false", events: result };
  if (clauses.some((clause) => Object.keys(clause).length === 0)) return { when: null, events: result };
  if (clauses.length > maxClauses)
    section.note(key, { message: `a condition has at most ${maxClauses} clauses, so the last are left out` });
  return {
    when: clauses.length === 1 ? (clauses[0] as Plain) : clauses.slice(0, maxClauses),
    events: result,
  };
}

/** null: any event. */
function eventsOf(item: TreeNode, { trace, at, construct }: Place): string[] | null {
  const written = texts(filter(child(item, "event")));
  if (written.length === 0) return null;
  const found = written.flatMap((name) => (Object.hasOwn(events, name) ? (events[name] ?? []) : [name]));
  const kept = found.filter((name) => Object.values(events).flat().includes(name));
  const lost = found.filter((name) => !kept.includes(name));
  if (written.includes("release"))
    trace.note(item.span, at, { construct: `${construct}.event`, message: releaseIsTag });
  if (lost.length > 0)
    trace.note(item.span, at, {
      construct: `${construct}.event`,
      message: `${lost.join(", ")} does not start runs`,
      suggestion: kept.length === 0 ? "name the branches whose pushes are to do the same" : null,
    });
  return [...new Set(kept)];
}

/** `include` of `{ include, exclude }`. */
function filter(node: TreeNode | undefined): TreeNode | undefined {
  return node?.kind === "map" ? child(node, "include") : node;
}

function clausesOf(item: TreeNode, named: readonly string[] | null, place: Place): PlainMap[] {
  const clause = attempt(() => oneClause(item, place));
  if ("problem" in clause) {
    place.trace.note(item.span, place.at, {
      construct: place.construct,
      message: `${clause.problem.message}, so this clause is left out`,
      suggestion: clause.problem.suggestion,
    });
    return [];
  }
  const { branch, paths, ...rest } = clause.value;
  const limits = present({ branch, ...paths });
  // A branch and paths limit pushes alone: a tag has no branch.
  const [ofBranches, others] = [
    ["push", "merge_request"],
    ["tag", "manual", "api", "schedule"],
  ];
  const pushes = (named ?? ofBranches).filter((event) => ofBranches?.includes(event));
  const free = (named ?? []).filter((event) => others?.includes(event));
  const isLimited = Object.keys(limits).length > 0 || typeof rest.branchTest === "string";
  const { branchTest, test, ...plain } = rest;
  const tests = [test, branchTest].filter((each) => typeof each === "string") as string[];
  if (!isLimited || named === null)
    return [present({ event: named === null ? null : [...named], ...limits, if: join(tests), ...plain })];
  return [
    ...(pushes.length > 0 ? [present({ event: pushes, ...limits, if: join(tests), ...plain })] : []),
    ...(free.length > 0 ? [present({ event: free, if: test ?? null, ...plain })] : []),
  ];
}

function join(tests: readonly string[]): string | null {
  if (tests.length === 0) return null;
  return tests.length === 1 ? (tests[0] ?? null) : tests.map((test) => `(${test})`).join(" && ");
}

interface Clause extends PlainMap {
  branch: Plain;
  paths: PlainMap;
}

function oneClause(item: TreeNode, { trace, at, construct }: Place): Clause {
  const clause: Clause = { branch: null, paths: {} };
  for (const { key, value, keySpan } of entries(item)) {
    trace.count(`${construct}.${key}`);
    if (key === "event") continue;
    const convert = Object.hasOwn(keys, key) ? keys[key] : undefined;
    for (const message of changesOf(key, value))
      trace.note(keySpan, at, { construct: `${construct}.${key}`, message });
    if (convert) Object.assign(clause, convert(value));
    else
      trace.note(keySpan, at, {
        construct: `${construct}.${key}`,
        message: `${key} has no counterpart in when`,
      });
  }
  return clause;
}

const releaseIsTag = "a release has no event of its own, and its tag stands for it";

/** What is not as it was, although the key comes through. */
function changesOf(key: string, node: TreeNode): string[] {
  if (key === "evaluate" && /["']release["']/.test(texts(node)[0] ?? "")) return [releaseIsTag];
  if (key === "matrix" && entries(node).some(({ value }) => texts(value).length > 1))
    return ["of several values only the first is asked for"];
  if (key !== "path") return [];
  return entries(node)
    .map((entry) => entry.key)
    .filter((name) => !["include", "exclude"].includes(name))
    .map((name) =>
      name === "on_empty"
        ? "on_empty has no counterpart: a push without changed files matches no paths"
        : `${name} has no counterpart`,
    );
}

const keys: Readonly<Record<string, (node: TreeNode) => PlainMap>> = {
  branch: branchOf,
  path: (node) => ({
    paths: present({ paths: [...new Set(texts(filter(node)))], paths_ignore: texts(child(node, "exclude")) }),
  }),
  status: (node) => {
    const [failure, success] = ["failure", "success"].map((status) => texts(node).includes(status));
    return failure ? { status: success ? "always" : "failure" } : {};
  },
  matrix: (node) => ({
    matrix: Object.fromEntries(entries(node).map(({ key, value }) => [key, texts(value)[0] ?? ""])),
  }),
  evaluate: (node) => ({ test: translateVariables(texts(node)[0] ?? "", woodpeckerVariables).text }),
  ref: (node) => refOf(texts(filter(node))),
};

function branchOf(node: TreeNode): PlainMap {
  const names = [...texts(filter(node)), ...texts(child(node, "exclude")).map((name) => `!${name}`)];
  const isDefault = (name: string) => /^\$\{?CI_REPO_DEFAULT_BRANCH\}?$/.test(name);
  if (names.length === 1 && isDefault(names[0] ?? "")) return { branchTest: "branch == repo.default_branch" };
  if (names.some((name) => name.includes("$")))
    throw new CannotConvert(
      "names of branches hold variables",
      "write the names, or if: branch == repo.default_branch",
    );
  return { branch: names };
}

function refOf(refs: readonly string[]): PlainMap {
  const tags = refs.filter((ref) => ref.startsWith("refs/tags/")).map((ref) => ref.slice(10));
  const branches = refs.filter((ref) => ref.startsWith("refs/heads/")).map((ref) => ref.slice(11));
  if (tags.length + branches.length < refs.length || (tags.length > 0 && branches.length > 0))
    throw new CannotConvert("refs of several kinds have no counterpart");
  return tags.length > 0 ? { tag: tags } : { branch: branches };
}

const values: Readonly<Record<string, string>> = {
  CI_COMMIT_BRANCH: "branch",
  CI_COMMIT_TAG: "tag",
  CI_COMMIT_SHA: "sha",
  CI_REPO: "repo.full_name",
  CI_REPO_NAME: "repo.name",
  CI_REPO_OWNER: "repo.owner",
  CI_REPO_DEFAULT_BRANCH: "repo.default_branch",
  CI_COMMIT_AUTHOR: "actor",
  CI_PIPELINE_EVENT: "event",
};

/** Variables of the pipeline in conditions; those that are not Woodpecker's own come from the settings or whoever starts a run. */
const woodpeckerVariables: Variables = {
  valueOf(name): Typed {
    const ours = Object.hasOwn(values, name) ? values[name] : undefined;
    if (ours !== undefined) return { text: ours, kind: "string" };
    if (name.startsWith("CI_")) throw new CannotConvert(`${name} has no counterpart`);
    return { text: `coalesce(vars.${name}, '')`, kind: "string" };
  },
  isSet: (name) => condition(`${woodpeckerVariables.valueOf(name).text} != ''`),
  isEvent(name, event) {
    if (name !== "CI_PIPELINE_EVENT") return null;
    const ours = Object.hasOwn(events, event) ? events[event] : undefined;
    if (ours === undefined) throw new CannotConvert(`the event ${event} has no counterpart`);
    return condition(
      ours.map((each) => `event == ${textLiteral(each).text}`).join(" || "),
      ours.length > 1 ? 1 : 3,
    );
  },
};
