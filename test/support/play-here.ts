/** Plays a scenario with `forgeline exec`: what it pushes is committed in a working tree, and the run compared as on a server. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { z } from "zod";
import type { Pipeline, PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import type { GitClient } from "../integration/git/git-client.ts";
import type { CommandLine, CommandResult } from "./command-line.ts";
import { compareRun, type LogLine } from "./compare-run.ts";
import { expectPrinted } from "./reported.ts";
import type { Scenario } from "./scenario.ts";

type Run = z.infer<typeof Pipeline>;

export interface RanHere {
  run: Run;
  lines: LogLine[];
  /** Changes of statuses, as the history of a run on a server has them. */
  events: PipelineEventRecord[];
  reports: Parameters<typeof expectPrinted>[0];
}

/** What `exec --json` printed. */
export function readJsonLines({ stdout, stderr }: CommandResult): RanHere {
  const printed = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const run = printed.at(-1);
  expect(run, stderr).toHaveProperty("stages");
  const lines = printed.filter((line) => "stream_id" in line) as unknown as LogLine[];
  const events = printed
    .filter((line) => "node" in line)
    .map((line) => ({ node_id: line["id"], new_status: line["status"] }) as PipelineEventRecord);
  const reports = printed.flatMap((line) => ("reports" in line ? [line["reports"]] : []));
  return { run: run as Run, lines, events, reports: reports as RanHere["reports"] };
}

export async function playHere(
  { git, cli }: { git: GitClient; cli: CommandLine },
  scenario: Scenario,
  file: string,
): Promise<void> {
  const tree = await git.workTree(scenario.before ?? { "README.md": "read me\n" });
  const files = { ...scenario.files, ...(scenario.path === null ? {} : { [scenario.path]: file }) };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  const sha = await git.commit(tree, {}, scenario.message);
  const result = await cli.run(["exec", "--json", "--actor", "ada", ...optionsOf(scenario)], { cwd: tree });
  if (scenario.run === null) {
    expect(result).toMatchObject({ code: 2, stdout: "" });
    return;
  }
  const found = readJsonLines(result);
  const values = { sha, short_sha: sha.slice(0, 8), owner: "ada", id: found.run.id };
  const compared = compareRun(scenario.run, found, values);
  expect(compared.found).toEqual(compared.wanted);
  if (scenario.reports) expectPrinted(found.reports, scenario.reports);
  const { status } = found.run;
  expect(result.code).toBe(status === "success" || status === "skipped" ? 0 : 1);
}

function optionsOf({ branch, tag, api, before }: Scenario): string[] {
  const pairs = (option: string, given: unknown) =>
    Object.entries((given ?? {}) as Record<string, string>).flatMap(([name, value]) => [
      option,
      `${name}=${value}`,
    ]);
  return [
    ...(tag === undefined ? ["--branch", branch] : ["--tag", tag]),
    ...(api ? ["--event", "api", ...pairs("-i", api["inputs"]), ...pairs("-v", api["variables"])] : []),
    // What was pushed before.
    ...(before && !api && tag === undefined ? ["--since", "HEAD~1"] : []),
  ];
}
