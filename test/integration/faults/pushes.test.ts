/** Row R12 of reliability.md for Git, small: slow clones beside others. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import { needs } from "../../support/programs/needs.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";

const max = 12;
let instance: TestInstance;
let git: GitClient;
beforeAll(async () => {
  instance = await startTestInstance({
    worker: false,
    runners: 0,
    env: {
      FORGELINE_GIT_EXCHANGES: String(max + 2),
      FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: String(max),
    },
  });
  git = await createGitClient(instance.certificates.caFile);
});
afterAll(async () => {
  await git?.remove();
  await instance?.stop();
});

const address = (name: string) =>
  addressWithToken(instance.url, `${instance.adminName}/${name}`, instance.adminToken);

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;

/** A clone whose client takes two thousand bytes a second once it has begun. */
async function slowClone(name: string, head: string, ca: Buffer) {
  const req: ClientRequest = request(`${instance.url}/${instance.adminName}/${name}.git/git-upload-pack`, {
    method: "POST",
    ca,
    agent: false,
    headers: {
      Authorization: `Bearer ${instance.adminToken}`,
      "Content-Type": "application/x-git-upload-pack-request",
      "Git-Protocol": "version=2",
    },
  });
  req.on("error", () => undefined);
  req.end(`${packet("command=fetch\n")}0001${packet(`want ${head}\n`)}${packet("done\n")}0000`);
  const [response] = (await once(req, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  response.pause();
  const timer = setInterval(() => response.read(Math.min(200, response.readableLength)), 100);
  return {
    status: response.statusCode,
    end() {
      clearInterval(timer);
      req.destroy();
    },
  };
}

/** Number and words of each process that this one has started. */
function childrenOf(pid: number): string[] {
  needs("ps");
  return execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)])
    .toString()
    .split("\n");
}

it("slow clones take their places, and no more; others go on", { timeout: 150_000 }, async () => {
  await instance.api("POST", "/repos", { name: "slow" });
  await instance.api("POST", "/repos", { name: "quick" });
  const tree = await git.workTree();
  await writeFile(join(tree, "large"), randomBytes(12 * 1024 * 1024));
  const head = await git.commit(tree, {});
  await git.ok(["push", "-q", address("slow"), "main"], { cwd: tree });
  const server = instance.servers[0]!;
  const ca = await readFile(instance.certificates.caFile);
  const clones = await Promise.all(Array.from({ length: max }, () => slowClone("slow", head, ca)));
  try {
    expect(clones.map(({ status }) => status)).toEqual(Array(max).fill(200));
    const metrics = () => fetch(`${server.metricsUrl}/metrics`).then((answer) => answer.text());
    expect(await metrics()).toContain(`forgeline_git_exchanges{state="running"} ${max}`);
    // One more of this repository waits, and one of another does not.
    const waits = slowClone("slow", head, ca);
    await eventually(async () => (await metrics()).includes('forgeline_git_exchanges{state="waiting"} 1'), {
      timeoutMs: 40_000,
    });
    const starter = childrenOf(server.program.pid()).find((line) => line.includes("processes/starter.ts"));
    const exchanges = childrenOf(Number.parseInt(starter ?? "", 10)).filter((line) =>
      line.includes("upload-pack"),
    );
    expect(exchanges).toHaveLength(max);
    await git.ok(["push", "-q", address("quick"), "main~1:refs/heads/main"], { cwd: tree });
    await git.ok(["clone", "-q", address("quick"), join(git.home, "quick")]);
    clones[0]!.end();
    const late = await waits;
    expect(late.status).toBe(200);
    late.end();
  } finally {
    for (const clone of clones) clone.end();
  }
  await eventually(async () =>
    (await (await fetch(`${server.metricsUrl}/metrics`)).text()).includes(
      'forgeline_git_exchanges{state="running"} 0',
    ),
  );
});
