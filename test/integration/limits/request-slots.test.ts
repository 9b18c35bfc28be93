/** One user who asks for much at once waits for their own requests, and nobody else does. */
import { once } from "node:events";
import { request } from "node:https";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { manyRequests } from "../../support/many-requests.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  // Half of its four connections to the database.
  server = await startApiServer({ env: { FORGELINE_REQUESTS_AT_ONCE: "2" } });
  [ada, bob] = await Promise.all([server.person("ada"), server.person("bob")]);
});
afterAll(() => server?.stop());

const json = { "Content-Type": "application/json" };
const headers = () => ({ Authorization: `Bearer ${ada.token}` });

async function requests(state: "running" | "waiting"): Promise<number> {
  const text = await server.container.platform.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith(`forgeline_http_requests{state="${state}"}`));
  return Number(line?.split(" ").at(-1));
}

/** While it runs, whoever asks for SSH keys waits for the database. */
async function withoutKeys(work: () => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: server.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query("begin; lock table ssh_keys in access exclusive mode");
    await work();
  } finally {
    await owner.end();
  }
}

test("others are answered while a user's requests wait for the database, and then those, too", async () => {
  const { send, close } = manyRequests(server, { atOnce: 20 });
  let burst: Promise<{ status: number }[]> | undefined;
  await withoutKeys(async () => {
    burst = Promise.all(Array.from({ length: 20 }, () => send("GET", "/user/keys", headers())));
    await eventually(async () => (await requests("waiting")) === 18);
    expect(await requests("running")).toBe(2);
    expect((await server.api("GET", "/user", { token: bob.token })).status).toBe(200);
  });
  expect((await burst)?.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  close();
  expect([await requests("running"), await requests("waiting")]).toEqual([0, 0]);
});

test("whoever goes away leaves the line", async () => {
  await withoutKeys(async () => {
    const calls = Array.from({ length: 6 }, () => {
      const call = request(`${server.baseUrl}/user/keys`, {
        ca: server.ca,
        agent: false,
        headers: headers(),
      });
      call.on("error", () => undefined);
      call.end();
      return call;
    });
    await eventually(async () => (await requests("waiting")) === 4);
    for (const call of calls) call.destroy();
    await eventually(async () => (await requests("waiting")) === 0);
    // These have their connections to the database until it answers.
    expect(await requests("running")).toBe(2);
  });
  await eventually(async () => (await requests("running")) === 0);
});

test("a body that does not come keeps no place", async () => {
  const slow = Array.from({ length: 4 }, () => {
    const call = request(`${server.baseUrl}/repos`, {
      method: "POST",
      ca: server.ca,
      agent: false,
      headers: { ...headers(), ...json, "Content-Length": 100, Expect: "100-continue" },
    });
    call.on("error", () => undefined);
    call.flushHeaders();
    return call;
  });
  await Promise.all(slow.map((call) => once(call, "continue")));
  expect((await server.api("GET", "/user", { token: ada.token })).status).toBe(200);
  for (const call of slow) call.destroy();
});
