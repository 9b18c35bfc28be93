/** Logs that are asked for and not read: their reader keeps no place among the requests that are worked on at a time. */
import { once } from "node:events";
import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logApi, type LogApi } from "./fixture.ts";

const atOnce = 2;

let api: LogApi;
beforeAll(async () => {
  api = await logApi("private", { env: { FORGELINE_REQUESTS_AT_ONCE: String(atOnce) } });
  // Each of these lines ends the one before; all of them are more than the buffers on the way take.
  const lines = 500;
  const payload = Buffer.from(`\n${"x".repeat(99)}`.repeat(lines));
  const begun = api.step.toString("latin1").split("\n").length - 1;
  for (let n = 0; n < 640; n += 1)
    await api.server.container.logs.ingest.append(api.stepStream, {
      channel: 1,
      offset: api.step.length + n * payload.length,
      firstLine: begun + n * lines,
      rawLength: payload.length,
      compressed: false,
      timeRuns: [{ lines, timeMs: 0 }],
      payload,
    });
});
afterAll(() => api?.server.stop());

test("who reads logs slowly is answered meanwhile", async () => {
  const { server, owner, path } = api;
  const headers = { Authorization: `Bearer ${owner.token}` };
  const address = `${server.baseUrl}${path}/logs?format=text`;
  const calls = Array.from({ length: atOnce + 1 }, () => {
    const call = request(address, { ca: server.ca, agent: false, headers });
    call.on("error", () => undefined);
    call.end();
    return call;
  });
  const answers = await Promise.all(calls.map((call) => once(call, "response")));
  expect(answers.map(([{ statusCode }]) => statusCode)).toEqual([200, 200, 200]);
  expect((await server.api("GET", `${path}/logs?tail=1`, { token: owner.token })).status).toBe(200);
  for (const call of calls) call.destroy();
});
