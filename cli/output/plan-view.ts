/** What a pipeline would run, as text: a line for each stage and job, and the reason where it would not. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "./colors.ts";
import { statusMark } from "./style.ts";
import { terminalSafe } from "./terminal-safe.ts";

const indents = { pipeline: "", stage: "  ", job: "    " } as const;

export function renderPlan({ nodes, missing_inputs: missing }: Schemas["PlanResult"]): string {
  const lines = nodes.map(({ node, name, runs, reason, message }) => {
    const shown = node === "job" ? terminalSafe(name) : colors.bold(terminalSafe(name));
    const why = runs ? "" : colors.dim(` – ${terminalSafe(message ?? reason ?? "")}`);
    return `${indents[node]}${statusMark(runs ? "success" : "skipped")} ${shown}${why}`;
  });
  if (missing.length > 0)
    lines.push(colors.yellow(`Inputs that a run needs: ${missing.map((name) => `-i ${name}=…`).join(" ")}`));
  return lines.join("\n");
}
