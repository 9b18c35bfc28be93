/** When a job of GitLab runs: `rules`, or `only` and `except`, and `when`. */
import type { TreeNode } from "../../tree.ts";
import { attempt, CannotConvert } from "../cannot.ts";
import { checkedPattern } from "../pattern.ts";
import { child, items, scalars, textOfNode, texts } from "../nodes.ts";
import { present, type Plain } from "../plain.ts";
import type { Section } from "../trace.ts";
import { always, and, condition, never, not, or, textLiteral, type Typed } from "../typed.ts";
import { translateVariables } from "../variable-expression.ts";
import { isSource, ruleVariables, type VariableScope } from "./variables.ts";

export interface Conditions {
  when: Plain;
  isManual: boolean;
}

interface Place {
  section: Section;
  scope: VariableScope;
}

const statuses: Readonly<Record<string, string>> = { on_failure: "failure", always: "always" };

/** Of a job, or of the whole pipeline (`workflow`). */
export function conditionsOf(place: Place): Conditions {
  const { section } = place;
  const rules = section.take("rules");
  const when = textOfNode(section.take("when")) ?? "on_success";
  section.take("start_in");
  if (when === "delayed") section.note("when", { message: "jobs cannot wait for a time" });
  if (rules !== undefined) return ofRules(rules, when, place);
  const limited = and([limit("only", place), not(limit("except", place))]);
  const expression = limited.literal === true ? null : limited.text;
  if (when === "never") return { when: "false", isManual: false };
  const status = statuses[when];
  return {
    when: status === undefined ? expression : present({ status, if: expression }),
    isManual: when === "manual",
  };
}

interface Clause {
  status: string;
  test: Typed;
  isManual: boolean;
}

/** The first rule that matches decides, so each also needs that none before it said never. */
function ofRules(rules: TreeNode, otherwise: string, place: Place): Conditions {
  const clauses: Clause[] = [];
  const denied: Typed[] = [];
  for (const rule of items(rules)) {
    const test = testOf(rule, place);
    if (test === null) continue;
    const when = textOfNode(child(rule, "when")) ?? otherwise;
    for (const key of ["variables", "needs", "allow_failure", "interruptible"])
      if (child(rule, key) !== undefined && !(key === "allow_failure" && when === "manual"))
        place.section.note("rules", {
          message: `a rule cannot change ${key} of its job`,
          suggestion: "write a job of its own for that case",
        });
    if (when === "delayed") place.section.note("rules", { message: "jobs cannot wait for a time" });
    if (when === "never") denied.push(not(test));
    else
      clauses.push({
        status: statuses[when] ?? "success",
        test: and([...denied, test]),
        isManual: when === "manual",
      });
    if (test.literal === true) break;
  }
  const live = clauses.filter(({ test }) => test.literal !== false);
  const isManual = live.some((clause) => clause.isManual);
  if (isManual && !live.every((clause) => clause.isManual))
    place.section.note("rules", {
      message: "some rules ask for a person and some do not; here all runs of this job wait for approval",
      suggestion: "write two jobs, one of them with approval",
    });
  return { when: joined(live), isManual };
}

function joined(clauses: readonly Clause[]): Plain {
  if (clauses.length === 0) return "false";
  const written = ["success", "failure", "always"].flatMap((status) => {
    const test = or(clauses.filter((clause) => clause.status === status).map((clause) => clause.test));
    if (test.literal === false) return [];
    return [{ status, test }];
  });
  const [first] = written;
  if (written.length === 1 && first?.status === "success")
    return first.test.literal === true ? null : first.test.text;
  const list = written.map(({ status, test }) =>
    present({ status, if: test.literal === true ? null : test.text }),
  );
  return list.length === 1 ? (list[0] as Plain) : list;
}

/** null: a rule that cannot be judged, which then never matches. */
function testOf(rule: TreeNode, { section, scope }: Place): Typed | null {
  const test = attempt(() => {
    const written = textOfNode(child(rule, "if"));
    if (child(rule, "exists") !== undefined)
      throw new CannotConvert("whether files exist is only known in a job", "test it in a step");
    const changes = changedTest(child(rule, "changes"));
    return and([written === null ? always : translateVariables(written, ruleVariables(scope)), changes]);
  });
  const construct = section.label === "" ? "rules" : `${section.label}.rules`;
  if ("value" in test) {
    return test.value;
  }
  section.trace.note(rule.span, section.at, {
    construct,
    message: `${test.problem.message}, so this rule is left out`,
    suggestion: test.problem.suggestion ?? "write its condition under when",
  });
  return null;
}

function changedTest(node: TreeNode | undefined): Typed {
  if (node === undefined) return always;
  const paths = texts(node.kind === "map" ? child(node, "paths") : node).slice(0, 50);
  if (paths.some((path) => path.includes("$"))) throw new CannotConvert("its paths hold variables");
  return paths.length === 0
    ? always
    : { text: `changed(${paths.map((path) => textLiteral(path).text).join(", ")})`, kind: "boolean" };
}

/** `only` or `except`: everything that they name must hold, or for `except` any of it. */
function limit(key: "only" | "except", { section, scope }: Place): Typed {
  const node = section.take(key);
  const nothing = key === "only" ? always : never;
  if (node === undefined) return nothing;
  const test = attempt(() => {
    const isMap = node.kind === "map";
    const refs = scalars(isMap ? child(node, "refs") : node).map(({ text }) => refTest(text));
    const conditions = texts(child(node, "variables")).map((text) =>
      translateVariables(text, ruleVariables(scope)),
    );
    const parts = [
      refs.length > 0 ? or(refs) : nothing,
      conditions.length > 0 ? or(conditions) : nothing,
      isMap && child(node, "changes") ? changedTest(child(node, "changes")) : nothing,
    ];
    return key === "only" ? and(parts) : or(parts);
  });
  if ("value" in test) {
    return test.value;
  }
  section.note(key, {
    message: `${test.problem.message}, so this never runs`,
    suggestion: "write the condition under when",
  });
  return key === "only" ? never : always;
}

const refs: Readonly<Record<string, Typed>> = {
  branches: condition("branch != ''"),
  tags: condition("tag != ''"),
};
const sources: Readonly<Record<string, string>> = {
  pushes: "push",
  web: "web",
  schedules: "schedule",
  api: "api",
  triggers: "trigger",
  pipelines: "pipeline",
  merge_requests: "merge_request_event",
  external_pull_requests: "external_pull_request_event",
};

function refTest(text: string): Typed {
  if (Object.hasOwn(refs, text)) return refs[text] as Typed;
  const source = Object.hasOwn(sources, text) ? sources[text] : undefined;
  if (source !== undefined) return isSource(source);
  const name = "coalesce(tag, branch)";
  const pattern = /^\/(.*)\/(i?)(?:@.*)?$/s.exec(text);
  if (pattern) {
    const checked = checkedPattern(`${pattern[2] ? "(?i)" : ""}${pattern[1] ?? ""}`);
    return { text: `matches(${name}, ${textLiteral(checked).text})`, kind: "boolean" };
  }
  if (text.includes("$")) throw new CannotConvert("a name of a branch holds variables");
  return condition(`${name} == ${textLiteral(text.replace(/@.*$/, "")).text}`);
}
