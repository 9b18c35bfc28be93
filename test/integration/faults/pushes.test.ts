/** Rows R12 and R17 of reliability.md for Git, small: slow clones beside others, and servers that are told to stop while people push. */
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
import { startFaultProxy, type FaultProxy } from "../../support/fault-proxy.ts";
import {
  untilNotReady,
  serverIsReady,
  startTestInstance,
  type TestInstance,
} from "../../support/instance.ts";
import { administratorByKey } from "../../support/instance-ssh.ts";
import { needs } from "../../support/programs/needs.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";

const max = 12;
/** Row R17 names fifty; the suite has few. */
const pushersAtOnce = Number(process.env["FORGELINE_PUSHERS"] ?? 4);
let instance: TestInstance;
let proxy: FaultProxy;
let sshProxy: FaultProxy;
let git: GitClient;
beforeAll(async () => {
  instance = await startTestInstance({
    servers: 2,
    ssh: true,
    worker: false,
    runners: 0,
    env: {
      FORGELINE_STOP_DELAY_MS: "3000",
      FORGELINE_GIT_EXCHANGES: String(max + 2),
      FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: String(max),
    },
  });
  const ports = instance.servers.map(({ url }) => ({ host: "127.0.0.1", port: Number(new URL(url).port) }));
  proxy = await startFaultProxy(ports[0]!, ports[1]!);
  const [one, other] = instance.servers.map(({ sshPort }) => ({ host: "127.0.0.1", port: sshPort }));
  sshProxy = await startFaultProxy(one!, other!);
  git = await createGitClient(instance.certificates.caFile);
});
afterAll(async () => {
  await Promise.all([proxy?.close(), sshProxy?.close()]);
  await git?.remove();
  await instance?.stop();
});

const address = (name: string, url = instance.url) =>
  addressWithToken(url, `${instance.adminName}/${name}`, instance.adminToken);

interface Remote {
  url(name: string): string;
  env: Record<string, string>;
}

/** By a key, through the balancer. */
async function overSsh(): Promise<Remote> {
  return {
    url: (name: string) => `ssh://git@localhost:${sshProxy.port}/${instance.adminName}/${name}.git`,
    env: await administratorByKey(instance, git.home),
  };
}

it("restarting servers in turn cuts no push", { timeout: 150_000 }, async () => {
  let stopping = false;
  const https = { url: (name: string) => address(name, `https://localhost:${proxy.port}`), env: {} };
  const remotes: Remote[] = [https, await overSsh()];
  const pusher = async (name: string, { url, env }: Remote) => {
    await instance.api("POST", "/repos", { name });
    const tree = await git.workTree();
    const failures: string[] = [];
    let pushes = 0;
    while (!stopping || pushes === 0) {
      await git.commit(tree, { "count.txt": `${pushes}\n` });
      const { code, stderr } = await git.run(["push", "-q", url(name), "main"], { cwd: tree, env });
      pushes += 1;
      if (code !== 0) failures.push(stderr);
    }
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    return { failures, pushes, head, at: await git.ok(["ls-remote", address(name), "refs/heads/main"]) };
  };
  const pushers = Array.from({ length: pushersAtOnce }, (_, n) =>
    pusher(`rolled-${n}`, remotes[n % remotes.length]!),
  );
  for (const server of instance.servers) {
    server.program.signal("SIGTERM");
    await untilNotReady(server, instance.certificates);
    proxy.leaveOut(Number(new URL(server.url).port));
    sshProxy.leaveOut(server.sshPort);
    expect(await server.program.exited()).toBe(0);
    server.program.start();
    await serverIsReady(server, instance.certificates);
    proxy.leaveOut(null);
    sshProxy.leaveOut(null);
  }
  stopping = true;
  for (const { failures, pushes, head, at } of await Promise.all(pushers)) {
    expect(failures).toEqual([]);
    expect(pushes).toBeGreaterThan(1);
    expect(at).toContain(head);
  }
});

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
