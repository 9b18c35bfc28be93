/** Two instances on one machine, one under a public name that nobody here can resolve: both work, each ends alone. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectionFile } from "@forgeline/launcher/connection-file.ts";
import { localJson, localRequest } from "@forgeline/launcher/https-client.ts";
import { eventually } from "../../support/eventually.ts";
import { addressWithToken, createGitClient } from "../git/git-client.ts";
import { importTestImage } from "../../support/test-image.ts";
import { launchHome, type LaunchHome } from "../../support/launched.ts";

/** Never a name of any machine (RFC 2606). */
const publicUrl = "https://forge.invalid:9443";

let named: LaunchHome;
let plain: LaunchHome;

beforeAll(async () => {
  named = await launchHome({ FORGELINE_PUBLIC_URL: publicUrl });
  plain = await launchHome();
});
afterAll(async () => {
  await Promise.all([named.remove(), plain.remove()]);
});

async function isReady({ connection }: LaunchHome): Promise<boolean> {
  const { web_url, ca_file } = await connection();
  return (await localRequest(`${web_url}readyz`, { caFile: ca_file })).status === 200;
}

function get<T>({ base_url, ca_file, admin }: ConnectionFile, path: string): Promise<T> {
  return localJson<T>(`${base_url}${path}`, { caFile: ca_file, token: admin.token });
}

it("start beside each other, each with a runner and ports of its own", { timeout: 150_000 }, async () => {
  for (const start of [() => named.start("--detach"), () => plain.start("--detach", "--no-demo")]) {
    const { code, output } = await start().finished;
    expect(output).toMatch(/^runner +ready: "local"/m);
    expect(code).toBe(0);
  }
  expect([await isReady(named), await isReady(plain)]).toEqual([true, true]);
  const addresses = [(await named.connection()).base_url, (await plain.connection()).base_url];
  expect(new Set(addresses).size).toBe(2);
});

it("a public name that leads nowhere is shown to people, while programs and the runner come by localhost", async () => {
  const connection = await named.connection();
  expect(connection.base_url).toMatch(/^https:\/\/localhost:\d+\/api\/v1$/);
  const [run] = await eventually(
    async () => {
      const runs = await get<{ status: string; web_url: string }[]>(
        connection,
        "/repos/admin/hello/pipelines",
      );
      return runs[0]?.status === "success" && runs;
    },
    { timeoutMs: 50_000 },
  );
  expect(run?.web_url).toBe(`${publicUrl}/admin/hello/pipelines/1`);
});

it("one that is stopped leaves the other as it was", async () => {
  expect((await named.stop()).code).toBe(0);
  expect(await named.processes()).toEqual([]);
  expect(await isReady(plain)).toBe(true);
  const runners = await get<{ status: string }[]>(await plain.connection(), "/runners");
  expect(runners).toMatchObject([{ status: "online" }]);
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

  it("reaches the server at CI_API_URL and trusts its certificate, without any setting of its own", async () => {
    const { base_url, git_https_url, ca_file, admin } = await plain.connection();
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
      { timeoutMs: 40_000 },
    );
    const { text } = await localRequest(`${run}/logs`, { ...access, accept: "text/plain" });
    expect(status, text).toBe("success");
    expect(text).toContain(`"base_url":"${base_url}"`);
    expect(text).toContain('"full_name":"admin/net"');
    const sum = createHash("sha256")
      .update(await readFile(ca_file))
      .digest("hex");
    expect(text.match(new RegExp(`^${sum} `, "gm"))).toHaveLength(3);
  });
});

it("registers its own runner anew when somebody has removed it", async () => {
  const connection = await plain.connection();
  const [removed] = await get<{ id: string }[]>(connection, "/runners");
  const path = `${connection.base_url}/runners/${removed?.id}`;
  await localJson(path, { caFile: connection.ca_file, token: connection.admin.token, method: "DELETE" });
  expect((await plain.stop()).code).toBe(0);
  // It was ending already, refused by the server, when it was asked to stop.
  expect(await plain.dockerObjects()).toEqual([]);
  expect((await plain.start("--detach", "--no-demo").finished).code).toBe(0);
  const runners = await get<{ id: string; status: string }[]>(await plain.connection(), "/runners");
  expect(runners).toMatchObject([{ status: "online" }]);
  expect(runners[0]?.id).not.toBe(removed?.id);
});
