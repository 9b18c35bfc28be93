/** A plan as text: what is wrong with the file, or each stage with its jobs, and the variables that the run would have. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { colors } from "../../output/colors.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { renderPins } from "./render-pins.ts";
import { firstLine } from "../variables/first-line.ts";

type Plan = Schemas["PlanResult"];
type PlanNode = Schemas["PlanNode"];

/** `text`: of the file, for excerpts; undefined where it is the server's. `before`: where changed files were asked for. */
export function renderPlan(
  plan: Plan,
  { text, docsUrl, before }: { text: string | undefined; docsUrl: string; before?: string | undefined },
): string {
  const how = { docsUrl, ...(text === undefined ? {} : { text }) };
  const parts = plan.diagnostics.map((each) => `${renderDiagnostic(each, how)}\n`);
  if (!plan.valid) return [...parts, `${colors.red("✗")} the file has errors`].join("\n");
  parts.push(...nodesOf(plan), ...changesOf(plan, before));
  if (plan.missing_inputs.length > 0)
    parts.push(`\nA run also needs ${plan.missing_inputs.map((name) => `-i ${name}=…`).join(" ")}`);
  if (plan.templates.length > 0) parts.push("", renderPins(plan.templates));
  if (plan.variables.length > 0) parts.push("", variablesOf(plan.variables));
  return parts.join("\n");
}

function nodesOf({ nodes }: Plan): string[] {
  const [whole] = nodes;
  if (whole && !whole.runs) return [`${colors.yellow("–")} nothing runs: ${terminalSafe(why(whole))}`];
  return nodes.slice(1).map((node) => `${indents[node.node]}${lineOf(node)}`);
}

const indents: Readonly<Record<PlanNode["node"], string>> = {
  pipeline: "",
  stage: "",
  job: "  ",
  step: "    ",
};

function changesOf({ changed_files: count }: Plan, before: string | undefined): string[] {
  if (count !== null) return [`\n${count} ${count === 1 ? "file changes" : "files change"}.`];
  return before === undefined
    ? []
    : [`\nToo many files have changed since ${terminalSafe(before)}: all filters by path match.`];
}

function lineOf(node: PlanNode): string {
  const name = `${terminalSafe(node.name)}${factsOf(node)}`;
  if (node.undecided) return `${colors.dim("?")} ${name}  ${colors.dim(terminalSafe(why(node)))}`;
  if (node.runs) return `${colors.green("✓")} ${name}`;
  const reason = terminalSafe(why(node));
  if (node.ends) return `${colors.red("✗")} ${name}  ${colors.red(`${node.ends}: ${reason}`)}`;
  return `${colors.dim("–")} ${name}  ${colors.dim(`skipped: ${reason}`)}`;
}

/** What is known of it besides its name. */
function factsOf(node: PlanNode): string {
  const { environment, starts, placement, permissions, gates = [] } = node;
  const facts = [
    environment === undefined ? "" : ` → ${terminalSafe(environment)}`,
    starts === undefined ? "" : ` ${terminalSafe(starts)}`,
    placement === undefined ? "" : "  (all jobs on one runner)",
    ...gates.map((gate) => `  (${gateInWords(gate)})`),
    permissions === undefined ? "" : `  (${permissionsInWords(permissions)})`,
    priorityOf(node),
  ];
  return facts.map((fact) => (fact === "" ? "" : colors.dim(fact))).join("");
}

function priorityOf({ priority, priority_asked: asked }: PlanNode): string {
  if (priority === undefined) return "";
  return asked === undefined
    ? `  (priority ${priority})`
    : `  (asks for priority ${asked}, capped to ${priority} by the operator)`;
}

function gateInWords({ of, approvals, wait_minutes: minutes }: Schemas["PlanGate"]): string {
  const parts = [
    ...(approvals === 0 ? [] : [`${approvals} ${approvals === 1 ? "approval" : "approvals"}`]),
    ...(minutes === 0 ? [] : [`${minutes} ${minutes === 1 ? "minute" : "minutes"}`]),
  ];
  return `waits for ${parts.join(" and ")}${of === "environment" ? " of its environment" : ""}`;
}

function permissionsInWords(permissions: readonly string[]): string {
  return permissions.length === 0 ? "its token may only fetch" : `its token: ${permissions.join(", ")}`;
}

function why({ message, reason }: PlanNode): string {
  return message ?? reason ?? "";
}

function variablesOf(variables: Plan["variables"]): string {
  const ofEnvironments = new Set(variables.flatMap(({ name, jobs }) => (jobs ? [name] : [])));
  const rows = variables.map((variable) => {
    const { name, level, environment, jobs, value } = variable;
    const where = environment === undefined ? level : `${level} ${environment}`;
    const whose = jobs ? listOf(jobs) : ofEnvironments.has(name) ? "other jobs" : undefined;
    const notes = [whose, fileNote(variable)].flatMap((note) => (note === undefined ? [] : ` (${note})`));
    return [name, `${where}${notes.join("")}`, firstLine(value)];
  });
  return renderTable(["VARIABLE", "FROM", "VALUE"], rows);
}

function fileNote({ file_sets_in: jobs }: Plan["variables"][number]): string | undefined {
  return jobs && `not in ${listOf(jobs)}: "env" of the file wins`;
}

const mostNamed = 3;

function listOf(jobs: readonly string[]): string {
  const more = jobs.length - mostNamed;
  return `${jobs.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
