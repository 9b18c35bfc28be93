/**
 * Pipelines whose jobs print numbered lines and tell the outside world when they begin and end, and the means to
 * start them and to look at them through REST only.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  Pipeline,
  PipelineEventRecord,
  PipelineSummary,
} from "@forgeline/schemas/pipelines/resource.ts";
import type { LogPage } from "@forgeline/schemas/logs/resource.ts";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import { addressWithToken, createGitClient } from "../integration/git/git-client.ts";
import type { EffectRecorder } from "./effect-recorder.ts";
import type { TestInstance } from "./instance.ts";
import { numberedLinesScript } from "./numbered-lines.ts";

export type LinesFile = "single" | "stages" | "own-image" | "once" | "leaving" | "caching" | "sending";

/** Jobs of each file, with the id that their lines carry. */
export const linesJobs: Record<LinesFile, Readonly<Record<string, number>>> = {
  single: { only: 1 },
  stages: { left: 1, right: 2, last: 3 },
  "own-image": { only: 1 },
  once: { only: 1 },
  leaving: { only: 1 },
  caching: { only: 1 },
  sending: { only: 1 },
};

export interface LinesRun {
  id: string;
  number: number;
  file: LinesFile;
  /** Lines of each job. */
  count: number;
}

export interface LinesRepository {
  begin(run: { file?: LinesFile; count: number; perPause: number }): Promise<LinesRun>;
  /** The run that was made last, for a request whose answer was lost. */
  newest(run: { file?: LinesFile; count: number }): Promise<LinesRun>;
  get(run: LinesRun): Promise<Pipeline>;
  events(run: LinesRun): Promise<PipelineEventRecord[]>;
  /** What the server has of a job's step; null where there is no such log yet. */
  log(run: LinesRun, job: string, attempt?: number): Promise<{ text: string; complete: boolean } | null>;
  /** The number of the last line that the server has of a job's step; 0 where it has none. */
  lastLine(run: LinesRun, job: string): Promise<number>;
}

const told = (kind: string) => `wget -q -O /dev/null "$EFFECTS/${kind}/$CI_PIPELINE_ID/$CI_JOB/$CI_ATTEMPT"`;

function step(id: number): string {
  const lines = [told("begin"), numberedLinesScript(id, '"$COUNT"', '"$PER_PAUSE"'), told("end")];
  return `|\n${lines.map((line) => `          ${line}`).join("\n")}`;
}

/** What follows the step. */
const leaves: Partial<Record<LinesFile, string>> = {
  leaving: `
      - echo kept > left.txt
    artifacts: [{ name: left, paths: left.txt, required: true }]`,
  caching: `
      - mkdir deps && echo kept > deps/file
    cache: [{ key: "deps-\${{ pipeline.number }}", paths: [deps] }]`,
  // Of several parts, the same for each run: whoever finds it looks whether it is whole.
  sending: `
      - if [ -e deps ]; then cd deps && sha256sum -c sum; else mkdir deps && cd deps && head -c 20000000 /dev/urandom > file && sha256sum file > sum; fi
    cache: [{ key: deps, paths: [deps] }]`,
};

function pipelineFile(file: LinesFile): string {
  const jobs = Object.entries(linesJobs[file]).map(([key, id]) => {
    const stage = file === "stages" ? `\n    stage: ${key === "last" ? "second" : "first"}` : "";
    const image = file === "own-image" ? "\n        image: forgeline/base:1" : "";
    const once = file === "once" ? "\n    rerun_if_lost: false" : "";
    return `  ${key}:${stage}${once}\n    steps:\n      - name: print${image}\n        run: ${step(id)}${leaves[file] ?? ""}`;
  });
  return `version: 1
on: [api]
defaults: { image: "forgeline/base:1", clone: false, timeout: 20m }
env:
  COUNT: \${{ vars.count }}
  PER_PAUSE: \${{ vars.per_pause }}
  EFFECTS: \${{ vars.effects }}
${file === "stages" ? "stages: [first, second]\n" : ""}jobs:
${jobs.join("\n")}
`;
}

export async function makeLinesRepository(
  instance: TestInstance,
  effects: EffectRecorder,
  name = "lines",
): Promise<LinesRepository> {
  const { api, adminName, adminToken, certificates } = instance;
  await api("POST", "/repos", { name });
  const git = await createGitClient(certificates.caFile);
  const tree = await git.workTree();
  await mkdir(join(tree, ".forgeline"));
  const names = Object.keys(linesJobs) as LinesFile[];
  await git.commit(
    tree,
    Object.fromEntries(names.map((file) => [`.forgeline/${file}.yml`, pipelineFile(file)])),
  );
  await git.ok(["push", "-q", addressWithToken(instance.url, `${adminName}/${name}`, adminToken), "main"], {
    cwd: tree,
  });
  await git.remove();

  const path = `/repos/${adminName}/${name}/pipelines`;
  const logPath = (run: LinesRun, job: string, attempt: number | undefined) =>
    `${path}/${run.number}/logs?job=${job}&step=0${attempt === undefined ? "" : `&attempt=${attempt}`}`;
  return {
    async begin({ file = "single", count, perPause }) {
      const variables = { count: String(count), per_pause: String(perPause), effects: effects.url };
      const made = await api<Pipeline>("POST", path, { pipeline: file, variables });
      return { id: made.id, number: made.number, file, count };
    },
    async newest({ file = "single", count }) {
      const [made] = await api<PipelineSummary[]>("GET", `${path}?per_page=1`);
      if (!made) throw new Error("there is no run");
      return { id: made.id, number: made.number, file, count };
    },
    get: (run) => api<Pipeline>("GET", `${path}/${run.number}`),
    events: (run) => api<PipelineEventRecord[]>("GET", `${path}/${run.number}/events?per_page=100`),
    async log(run, job, attempt) {
      const access = { caFile: certificates.caFile, token: adminToken };
      const url = `${instance.url}/api/v1${logPath(run, job, attempt)}`;
      const answer = await localRequest(`${url}&format=text`, access);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw new Error(`log of ${job}: HTTP ${answer.status} ${answer.text}`);
      const page = await api<LogPage>("GET", `${logPath(run, job, attempt)}&tail=1`);
      return { text: answer.text, complete: page.complete };
    },
    async lastLine(run, job) {
      const { lines } = await api<LogPage>("GET", `${logPath(run, job, undefined)}&tail=1`);
      return lines.at(-1)?.number ?? 0;
    },
  };
}
