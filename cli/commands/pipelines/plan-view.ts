/** A plan as text: what is wrong with the file, or each stage with its jobs, and the variables that the run would have. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { colors } from "../../output/colors.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { renderPins } from "./render-pins.ts";
import { firstLine } from "../variables/first-line.ts";

type Plan = Schemas["PlanResult"];

/** `text`: of the file, for excerpts; undefined where it is the server's. */
export function renderPlan(
  plan: Plan,
  { text, docsUrl }: { text: string | undefined; docsUrl: string },
): string {
  const how = { docsUrl, ...(text === undefined ? {} : { text }) };
  const parts = plan.diagnostics.map((each) => `${renderDiagnostic(each, how)}\n`);
  if (!plan.valid) return [...parts, `${colors.red("✗")} the file has errors`].join("\n");
  parts.push(...nodesOf(plan));
  if (plan.missing_inputs.length > 0)
    parts.push(`\nA run also needs ${plan.missing_inputs.map((name) => `-i ${name}=…`).join(" ")}`);
  if (plan.templates.length > 0) parts.push("", renderPins(plan.templates));
  if (plan.variables.length > 0) parts.push("", variablesOf(plan.variables));
  return parts.join("\n");
}

function nodesOf({ nodes }: Plan): string[] {
  const [whole] = nodes;
  if (whole && !whole.runs) return [`${colors.yellow("–")} nothing runs: ${terminalSafe(why(whole))}`];
  return nodes.slice(1).map((node) => {
    const indent = node.node === "job" ? "  " : "";
    const starts = node.starts === undefined ? "" : colors.dim(` ${terminalSafe(node.starts)}`);
    const to = node.environment === undefined ? "" : colors.dim(` → ${terminalSafe(node.environment)}`);
    const together = node.placement === undefined ? "" : colors.dim("  (all jobs on one runner)");
    const token =
      node.permissions === undefined ? "" : colors.dim(`  (${permissionsInWords(node.permissions)})`);
    const priority = node.priority === undefined ? "" : colors.dim(`  (priority ${node.priority})`);
    const name = `${terminalSafe(node.name)}${to}${starts}${together}${token}${priority}`;
    if (node.runs) return `${indent}${colors.green("✓")} ${name}`;
    if (node.ends)
      return `${indent}${colors.red("✗")} ${name}  ${colors.red(`error: ${terminalSafe(why(node))}`)}`;
    return `${indent}${colors.dim("–")} ${name}  ${colors.dim(`skipped: ${terminalSafe(why(node))}`)}`;
  });
}

function permissionsInWords(permissions: readonly string[]): string {
  return permissions.length === 0 ? "its token may only fetch" : `its token: ${permissions.join(", ")}`;
}

function why({ message, reason }: Plan["nodes"][number]): string {
  return message ?? reason ?? "";
}

function variablesOf(variables: Plan["variables"]): string {
  const rows = variables.map(({ name, level, environment, value }) => [
    name,
    environment === undefined ? level : `${level} ${environment}`,
    firstLine(value),
  ]);
  return renderTable(["VARIABLE", "FROM", "VALUE"], rows);
}
