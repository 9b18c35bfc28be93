/** Two instances on one machine, one under a public name that nobody here can resolve: both work, each ends alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConnectionFile } from "@forgeline/launcher/connection-file.ts";
import { localJson, localRequest } from "@forgeline/launcher/https-client.ts";
import { eventually } from "../../support/eventually.ts";
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

it("start at the same time, each with a runner and ports of its own", async () => {
  const started = await Promise.all([
    named.start("--detach").finished,
    plain.start("--detach", "--no-demo").finished,
  ]);
  for (const { code, output } of started) {
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

it("registers its own runner anew when somebody has removed it", async () => {
  const connection = await plain.connection();
  const [removed] = await get<{ id: string }[]>(connection, "/runners");
  const path = `${connection.base_url}/runners/${removed?.id}`;
  await localJson(path, { caFile: connection.ca_file, token: connection.admin.token, method: "DELETE" });
  expect((await plain.stop()).code).toBe(0);
  expect((await plain.start("--detach", "--no-demo").finished).code).toBe(0);
  const runners = await get<{ id: string; status: string }[]>(await plain.connection(), "/runners");
  expect(runners).toMatchObject([{ status: "online" }]);
  expect(runners[0]?.id).not.toBe(removed?.id);
});
