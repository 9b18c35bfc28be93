/** Figures as text: for the terminal, and between the markers of `bench/README.md`. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { arch, cpus, release, totalmem } from "node:os";
import { promisify } from "node:util";
import type Dockerode from "dockerode";
import type { Scenario, ScenarioResult } from "./scenario.ts";
import type { BenchSize } from "./size.ts";

const run = promisify(execFile);
const markers = (number: number) => ({ begin: `<!-- scenario ${number} -->`, end: `<!-- end ${number} -->` });

export interface Machine {
  text: string;
}

export async function describeMachine(docker: Dockerode): Promise<Machine> {
  const { Version } = await docker.version();
  const git = (await run("git", ["--version"])).stdout.trim();
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return {
    text: `${cpus().length} × ${cpu?.model ?? arch()}, ${memory} GiB, Linux ${release()}, Docker ${Version}, ${git}, Node ${process.versions.node}`,
  };
}

/** Markdown that reads well in a terminal too. */
export function renderResult(scenario: Scenario, size: BenchSize, result: ScenarioResult): string {
  const lines = [`### ${scenario.number}. ${scenario.title(size)}`, ""];
  lines.push("| Figure | Measured | Limit | |", "|---|---|---|---|");
  for (const { what, value, limit } of result.figures)
    lines.push(
      `| ${what} | ${value} | ${limit?.text ?? ""} | ${limit ? (limit.met ? "met" : "**not met**") : ""} |`,
    );
  for (const { title, parts } of result.parts) {
    lines.push("", `Where the time goes, ${title}:`, "", "| Part | ms |", "|---|---|");
    for (const { what, ms } of parts) lines.push(`| ${what} | ${ms.toFixed(ms < 100 ? 1 : 0)} |`);
  }
  return lines.join("\n");
}

/** Replaces what stands between the scenario's markers. Throws when the page has no such place. */
export async function writeInto(
  page: string,
  scenario: Scenario,
  section: { text: string; machine: Machine; command: string; date: string },
): Promise<void> {
  const { begin, end } = markers(scenario.number);
  const text = await readFile(page, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no ${begin} … ${end}`);
  const { machine, command, date } = section;
  const body = `${begin}\n${section.text}\n\n${date}, \`${command}\`: ${machine.text}\n`;
  await writeFile(page, text.slice(0, from) + body + text.slice(to));
}
