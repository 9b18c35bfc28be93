/** A repository of a test instance as its owner uses it: pushes with the real `git`, runs, logs, all through REST. */
import { request } from "node:https";
import { readFile } from "node:fs/promises";
import type { Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import { addressWithToken, createGitClient, type GitClient } from "../integration/git/git-client.ts";
import { eventually } from "./eventually.ts";
import type { SharedInstance } from "./shared-instance.ts";

export interface Project {
  fullName: string;
  id: string;
  git: GitClient;
  /** `/repos/OWNER/NAME`, for `instance.api`. */
  path: string;
  /**
   * One more commit with these files, and nothing else, on a branch of its own (or `branch`), pushed; its id and what
   * `git push` said.
   */
  push(files: Record<string, string>, options?: { branch?: string; message?: string }): Promise<Pushed>;
  /** One commit for each pipeline file, each on a branch of its own, in a single push. */
  pushEach(files: readonly string[]): Promise<Pushed[]>;
  /** The run that the commit started, once it exists. */
  runOf(sha: string): Promise<Pipeline>;
  /** The same once it is over. */
  finished(sha: string, timeoutMs?: number): Promise<Pipeline>;
  /** `push` of one pipeline file, then `finished`. */
  runFile(file: string, options?: { branch?: string; message?: string }): Promise<Pipeline>;
  /** The log as its bytes were printed; `query` selects, for example `job=main&step=0`. */
  log(run: Pipeline, query?: string): Promise<Buffer>;
  remove(): Promise<void>;
}

export interface Pushed {
  sha: string;
  branch: string;
  said: string;
}

/** A pipeline file with one job of the image of this machine. */
export function oneJob(...steps: (string | Record<string, unknown>)[]): string {
  return `${JSON.stringify({ image: "forgeline/base:1", steps }, null, 2)}\n`;
}

export async function createProject(instance: SharedInstance, name: string): Promise<Project> {
  const made = await instance.api<{ id: string; full_name: string }>("POST", "/repos", {
    name,
    private: true,
  });
  const git = await createGitClient(instance.certificates.caFile);
  const tree = await git.workTree({ "README.md": `${name}\n` });
  const remote = addressWithToken(instance.url, made.full_name, instance.adminToken);
  await git.ok(["push", "-q", remote, "main"], { cwd: tree });
  const path = `/repos/${made.full_name}`;
  let branches = 0;

  const runOf = (sha: string) =>
    eventually(
      async () => {
        const runs = await instance.api<{ id: string; sha: string }[]>(
          "GET",
          `${path}/pipelines?per_page=100`,
        );
        const found = runs.find((run) => run.sha === sha);
        return found && instance.api<Pipeline>("GET", `${path}/pipelines/${found.id}`);
      },
      { intervalMs: 50 },
    );

  const project: Project = {
    fullName: made.full_name,
    id: made.id,
    git,
    path,
    async push(files, { branch = `b${branches++}`, message = "change" } = {}) {
      await git.ok(["checkout", "-q", "-B", "work", "main"], { cwd: tree });
      const sha = await git.commit(tree, files, message);
      const pushed = await git.run(["push", remote, `${sha}:refs/heads/${branch}`], { cwd: tree });
      if (pushed.code !== 0) throw new Error(`git push: ${pushed.stderr}`);
      return { sha, branch, said: pushed.stderr };
    },
    async pushEach(files) {
      const pushed: Pushed[] = [];
      for (const file of files) {
        await git.ok(["checkout", "-q", "-B", "work", "main"], { cwd: tree });
        const sha = await git.commit(tree, { ".forgeline.yml": file }, `change ${branches}`);
        pushed.push({ sha, branch: `b${branches++}`, said: "" });
      }
      const refs = pushed.map(({ sha, branch }) => `${sha}:refs/heads/${branch}`);
      const answer = await git.run(["push", remote, ...refs], { cwd: tree });
      if (answer.code !== 0) throw new Error(`git push: ${answer.stderr}`);
      return pushed.map((each) => ({ ...each, said: answer.stderr }));
    },
    runOf,
    async finished(sha, timeoutMs = 40_000) {
      const { id } = await runOf(sha);
      return eventually(
        async () => {
          const run = await instance.api<Pipeline>("GET", `${path}/pipelines/${id}`);
          return run.finished_at === null ? undefined : run;
        },
        { intervalMs: 60, timeoutMs },
      );
    },
    async runFile(file, options) {
      const { sha } = await project.push({ ".forgeline.yml": file }, options);
      return project.finished(sha);
    },
    async log(run, query = "") {
      const url = `${instance.url}/api/v1${path}/pipelines/${run.id}/logs?format=text${query && `&${query}`}`;
      return bytesOf(url, instance);
    },
    remove: () => git.remove(),
  };
  return project;
}

/** The job of a run; its last attempt must exist. */
export function jobOf(run: Pipeline, key = "main"): RunJob {
  const job = run.stages.flatMap((stage) => stage.jobs).find((each) => each.key === key);
  if (!job) throw new Error(`the run has no job ${key}: ${JSON.stringify(run)}`);
  return job;
}

async function bytesOf(url: string, instance: SharedInstance): Promise<Buffer> {
  const ca = await readFile(instance.certificates.caFile);
  const headers = { authorization: `Bearer ${instance.adminToken}` };
  return new Promise((resolve, reject) => {
    const call = request(url, { ca, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`GET ${url}: HTTP ${String(response.statusCode)} ${bytes.toString()}`));
      });
    });
    call.on("error", reject);
    call.end();
  });
}
