/** `npm start` as a new user meets it: ready, the demo's run, jobs, a second start, a killed launcher, stopped. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localJson, localRequest } from "@forgeline/launcher/https-client.ts";
import { eventually } from "../../support/eventually.ts";
import { launchHome, type LaunchHome } from "../../support/launched.ts";
import { importTestImage } from "../../support/test-image.ts";
import { addressWithToken, createGitClient } from "../git/git-client.ts";

let home: LaunchHome;

beforeAll(async () => {
  home = await launchHome({ FORGELINE_LIMIT_CORE: "400" });
});
afterAll(async () => {
  await home.remove();
});

async function firstBytes({ hostname, port }: URL): Promise<string> {
  const socket = connect(Number(port), hostname);
  const [bytes] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return bytes.toString();
}

interface Run {
  number: number;
  status: string;
}

async function runs(): Promise<Run[]> {
  const { base_url, ca_file, admin } = await home.connection();
  return localJson(`${base_url}/repos/admin/hello/pipelines`, { caFile: ca_file, token: admin.token });
}

it("returns once ready with --detach, and tells programs where it is", { timeout: 120_000 }, async () => {
  const { code, output } = await home.start("--detach").finished;
  expect(output).toMatch(/^runner +ready: "local"/m);
  expect(output).toContain("npm run stop stops everything");
  expect(code).toBe(0);

  const connection = await home.connection();
  expect(Object.keys(connection).toSorted().join(" ")).toBe(
    "admin auth_url base_url ca_file docs_url git_https_url git_ssh_url graphql_url metrics_url pids runner_url web_url worker_metrics_url",
  );
  expect(Object.keys(connection.pids).join(" ")).toBe(
    "launcher postgresql temporal api-server worker runner",
  );
  expect((await stat(join(home.directory, "connection.json"))).mode & 0o777).toBe(0o600);
  const { status } = await localRequest(`${connection.web_url}readyz`, { caFile: connection.ca_file });
  expect(status).toBe(200);
  for (const url of [connection.metrics_url, connection.worker_metrics_url])
    expect((await fetch(url)).ok).toBe(true);
  const meta = await localJson<{ git_ssh_url: string }>(`${connection.base_url}/meta`, {
    caFile: connection.ca_file,
  });
  expect(meta.git_ssh_url).toBe(connection.git_ssh_url);
  expect(await firstBytes(new URL(connection.git_ssh_url))).toBe("SSH-2.0-Forgeline\r\n");
});

it("pushes the demo, whose run succeeds and is shown", async () => {
  const log = join(home.directory, "logs", "launcher.log");
  await eventually(async () => (await readFile(log, "utf8")).includes("hello #1 success"), {
    timeoutMs: 50_000,
  });
  expect(await runs()).toMatchObject([{ number: 1, status: "success" }]);
  expect(await readFile(log, "utf8")).toContain("[5/5] building part-5");
});

describe("a job in a container", () => {
  const docker = new Docker();
  /** Programs that check certificates: this Node, and none of the network settings of this machine. */
  const image = `forgeline-test/node-${process.pid}:1`;
  beforeAll(() =>
    importTestImage(docker, { name: image, programs: [{ path: process.execPath, as: ["node"] }] }),
  );
  afterAll(() => docker.getImage(image).remove({ force: true }));

  const script = `
    const read = async (path, headers = {}) =>
      console.log(JSON.stringify(await (await fetch(process.env.CI_API_URL + path, { headers })).json()));
    await read("/meta");
    const { CI_JOB_TOKEN, CI_PROJECT } = process.env;
    await read("/repos/" + CI_PROJECT, { authorization: "Bearer " + CI_JOB_TOKEN });
  `;
  const steps = [
    { name: "ask", run: `node --input-type=module <<'END'\n${script}\nEND\n` },
    { name: "files", run: 'sha256sum "$SSL_CERT_FILE" "$GIT_SSL_CAINFO" "$NODE_EXTRA_CA_CERTS"' },
  ];

  it(
    "reaches the server at CI_API_URL and trusts its certificate, without any setting of its own",
    { timeout: 120_000 },
    async () => {
      const { base_url, git_https_url, ca_file, admin } = await home.connection();
      const access = { caFile: ca_file, token: admin.token };
      await localJson(`${base_url}/repos`, { ...access, method: "POST", body: { name: "net" } });
      const git = await createGitClient(ca_file);
      const tree = await git.workTree({ ".forgeline.yml": JSON.stringify({ image, steps }) });
      const remote = addressWithToken(git_https_url, "admin/net", admin.token);
      await git.ok(["push", "-q", remote, "main"], { cwd: tree });
      await git.remove();
      const run = `${base_url}/repos/admin/net/pipelines/1`;
      const { status } = await eventually(
        async () => {
          const seen = await localJson<{ status: string; finished_at: string | null }>(run, access);
          return seen.finished_at !== null && seen;
        },
        // What the administrator may still ask is for the tests after this one.
        { timeoutMs: 60_000, intervalMs: 500 },
      );
      const { text } = await localRequest(`${run}/logs`, { ...access, accept: "text/plain" });
      expect(status, text).toBe("success");
      expect(text).toContain(`"base_url":"${base_url}"`);
      expect(text).toContain('"full_name":"admin/net"');
      const sum = createHash("sha256")
        .update(await readFile(ca_file))
        .digest("hex");
      expect(text.match(new RegExp(`^${sum} `, "gm"))).toHaveLength(3);
    },
  );
});

it("refuses a second launcher in the same home", async () => {
  const { code, output } = await home.start("--no-demo").finished;
  expect(output).toContain("this instance is already running (pid");
  expect(code).toBe(1);
});

it("starts a killed process again and says so, and tells programs its new pid", async () => {
  const before = await home.connection();
  process.kill(before.pids["worker"] ?? 0, "SIGKILL");
  const log = join(home.directory, "logs", "launcher.log");
  await eventually(async () => /^worker +ready again$/m.test(await readFile(log, "utf8")), {
    timeoutMs: 30_000,
  });
  expect(await readFile(log, "utf8")).toMatch(/^worker +exited \(killed by SIGKILL\); restarting it/m);
  // What --detach itself has said, of another way to stop.
  expect(await readFile(log, "utf8")).not.toContain("stops everything");
  const after = await home.connection();
  expect(after.pids["worker"]).toBeGreaterThan(0);
  expect(after.pids["worker"]).not.toBe(before.pids["worker"]);
});

interface Limits {
  resources: { resource: string; remaining: number }[];
}

/** Of the administrator's requests; asking costs nothing. */
async function left(): Promise<number | undefined> {
  const { base_url, ca_file, admin } = await home.connection();
  const access = { caFile: ca_file, token: admin.token };
  const { resources } = await localJson<Limits>(`${base_url}/rate_limit`, access);
  return resources.find(({ resource }) => resource === "core")?.remaining;
}

async function useUpLimit(): Promise<void> {
  const { base_url, ca_file, admin } = await home.connection();
  const access = { caFile: ca_file, token: admin.token };
  for (let status = 200; status === 200;) ({ status } = await localRequest(`${base_url}/user`, access));
  expect(await left()).toBe(0);
}

const runnerFile = async () =>
  JSON.parse(await readFile(join(home.directory, "runner", "runner.json"), "utf8")) as { id: string };

it(
  "ends what a killed launcher left, and finds all data again, though its runner was removed and its administrator may ask nothing",
  { timeout: 180_000 },
  async () => {
    expect(await runs()).toHaveLength(1);
    const { base_url, ca_file, admin, pids } = await home.connection();
    const { id: removed } = await runnerFile();
    const access = { caFile: ca_file, token: admin.token };
    await localJson(`${base_url}/runners/${removed}`, { ...access, method: "DELETE" });
    await useUpLimit();
    process.kill(pids["launcher"] ?? 0, "SIGKILL");
    await eventually(async () => (await home.processes()).length > 0);
    const { code, output } = await home.start("--detach").finished;
    // The runner was ending by itself, refused by the server.
    expect(output).toMatch(
      /ended processes of an earlier start: (runner, )?worker, api-server, temporal, postgresql/,
    );
    expect(output).toMatch(/^runner +ready: "local"/m);
    expect(code).toBe(0);
    expect((await runnerFile()).id).not.toBe(removed);
    await eventually(async () =>
      (await readFile(join(home.directory, "logs", "launcher.log"), "utf8")).includes(
        "its newest run: #1 success",
      ),
    );
    expect(await left()).toBe(0);
  },
);

it("leaves nothing running when stopped", async () => {
  const { code, output } = await home.stop();
  expect(output).toMatch(/^forgeline +stopped$/m);
  expect(code).toBe(0);
  expect(await home.processes()).toEqual([]);
  expect(await home.dockerObjects()).toEqual([]);
  await expect(home.connection()).rejects.toMatchObject({ code: "ENOENT" });
  expect((await home.stop()).output).toContain("nothing is running in");
});
