/** Webhooks from an event to a receiver: a server, a worker, Temporal, and HTTPS receivers that behave or do not. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { readBed } from "../../../support/bed.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWorker } from "../../../support/failing-work.ts";
import { accepting, refusing, startReceiver, type Receiver } from "../../../support/webhook-receiver.ts";

let server: ApiServer;
let stopWorker: () => Promise<void>;
let ada: TestPerson;
let receiver: Receiver;
let made = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startApiServer({
    env: {
      FORGELINE_TASK_QUEUE: `test-webhooks-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: (await readBed()).certificates.caFile,
    },
    periods: { webhookRetryMs: 200 },
  });
  ada = await server.person("ada");
  stopWorker = await startWorker(server);
  await server.container.automation.followerWorkflows.keep();
});
afterAll(async () => {
  await stopWorker?.();
  await server?.stop();
  await receiver?.close();
});

async function repository(): Promise<string> {
  const name = `hooked-${made++}`;
  const answer = await server.api("POST", "/repos", { token: ada.token, body: { name, readme: true } });
  expect(answer.status).toBe(201);
  return `/repos/ada/${name}`;
}

async function addHook(path: string, body: Record<string, unknown> = {}) {
  const answer = await server.api("POST", `${path}/webhooks`, {
    token: ada.token,
    body: { url: `${receiver.url}${path}`, events: ["push"], ...body },
  });
  expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  return answer.json as { id: string; secret: string };
}

const write = (path: string, file: string) =>
  server.api("PUT", `${path}/contents/${file}`, {
    token: ada.token,
    body: { message: `Add ${file}`, content: Buffer.from(file).toString("base64"), branch: "main" },
  });

const receivedAt = (path: string) => receiver.received.filter((one) => one.path === path);

test("a push reaches the receiver, signed in both forms, with its commits", async () => {
  const path = await repository();
  const { secret, id } = await addHook(path);
  await write(path, "a.txt");
  const [one] = await eventually(() => {
    const found = receivedAt(path);
    return found.length > 0 && found;
  });
  expect(one?.json).toMatchObject({
    event: "push",
    action: "updated",
    sequence: 1,
    ref: "refs/heads/main",
    forced: false,
    total_commits: 1,
    commits: [{ message: "Add a.txt\n" }],
    repository: { full_name: path.slice("/repos/".length) },
    sender: { username: "ada" },
  });
  const { body = "", headers = {} } = one ?? {};
  const hmac = createHmac("sha256", secret).update(body).digest("hex");
  expect(headers["x-svc-signature-256"]).toBe(`sha256=${hmac}`);
  expect(headers["x-svc-event"]).toBe("push");
  expect(headers["webhook-id"]).toBe(headers["x-svc-delivery"]);
  const shown = await eventually(async () => {
    const { json } = await server.api("GET", `${path}/webhooks/${id}/deliveries`, { token: ada.token });
    const [first] = json as unknown as { status: string; id: string }[];
    return first?.status === "delivered" && first;
  });
  const whole = await server.api("GET", `${path}/webhooks/${id}/deliveries/${shown.id}`, {
    token: ada.token,
  });
  expect(whole.json).toMatchObject({
    request_body: body,
    attempts: [{ attempt: 1, status: 204, error: null }],
  });
});

test("what is refused is tried again under the same id until it is accepted", async () => {
  const path = await repository();
  const { id } = await addHook(path);
  let refused = 0;
  receiver.answer = (request, response, count) => {
    if (request.path === path && refused++ < 2) refusing(503)(request, response, count);
    else accepting(request, response, count);
  };
  await write(path, "b.txt");
  const tries = await eventually(() => {
    const found = receivedAt(path);
    return found.length >= 3 && found;
  });
  expect(new Set(tries.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(1);
  expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
  const deliveries = await eventually(async () => {
    const { json } = await server.api("GET", `${path}/webhooks/${id}/deliveries`, { token: ada.token });
    const list = json as unknown as { status: string; attempts_count: number }[];
    return list[0]?.status === "delivered" && list;
  });
  expect(deliveries).toMatchObject([{ attempts_count: 3, error: null, response_status: 204 }]);
});

test("an ordered webhook keeps the order across failures", async () => {
  const path = await repository();
  await addHook(path, { ordered: true });
  let refused = 0;
  receiver.answer = (request, response, count) => {
    if (request.path === path && request.json["sequence"] === 2 && refused++ < 2)
      refusing(500)(request, response, count);
    else accepting(request, response, count);
  };
  for (const file of ["1", "2", "3", "4", "5"]) await write(path, file);
  await eventually(() => receivedAt(path).some(({ json }) => json["sequence"] === 5));
  expect(receivedAt(path).map(({ json }) => json["sequence"])).toEqual([1, 2, 2, 2, 3, 4, 5]);
});

test("a dead endpoint gets single tries, and everything once it is back", async () => {
  const path = await repository();
  const { id } = await addHook(path);
  receiver.answer = (request, response, count) =>
    request.path === path ? refusing(500)(request, response, count) : accepting(request, response, count);
  for (let file = 0; file < 12; file += 1) await write(path, `${file}`);
  await eventually(async () => {
    const { json } = await server.api("GET", `${path}/webhooks/${id}`, { token: ada.token });
    return json["next_attempt_at"] !== null && json["waiting"] === 12;
  });
  receiver.answer = accepting;
  await eventually(
    async () => {
      const { json } = await server.api("GET", `${path}/webhooks/${id}`, { token: ada.token });
      return json["waiting"] === 0;
    },
    { timeoutMs: 30_000 },
  );
  const accepted = new Set(receivedAt(path).map(({ headers }) => headers["x-svc-delivery"]));
  expect(accepted.size).toBe(12);
});

test("ping, test and redelivery", async () => {
  const path = await repository();
  const { id } = await addHook(path);
  const of = (suffix: string, body?: object) =>
    server.api("POST", `${path}/webhooks/${id}${suffix}`, { token: ada.token, ...(body ? { body } : {}) });
  expect((await of("/ping")).status).toBe(202);
  await eventually(() => receivedAt(path).length === 1);
  expect(receivedAt(path)[0]?.json).toMatchObject({ event: "ping", test: true, webhook: { id } });
  expect((await of("/test", { event: "tag" })).status).toBe(409);
  await write(path, "pushed.txt");
  await eventually(() => receivedAt(path).length === 2);
  expect((await of("/test", { event: "push" })).status).toBe(202);
  await eventually(() => receivedAt(path).length === 3);
  expect(receivedAt(path)[2]?.json).toMatchObject({ event: "push", action: "updated", test: true });
  const delivery = String(receivedAt(path)[2]?.headers["x-svc-delivery"]);
  await eventually(async () => {
    const { json } = await server.api("GET", `${path}/webhooks/${id}`, { token: ada.token });
    return json["waiting"] === 0;
  });
  expect((await of(`/deliveries/${delivery}/redeliver`)).status).toBe(202);
  await eventually(() => receivedAt(path).length === 4);
  expect(receivedAt(path)[3]?.headers["x-svc-delivery"]).toBe(delivery);
  expect(receivedAt(path)[3]?.body).toBe(receivedAt(path)[2]?.body);
  await eventually(async () => {
    const { json } = await server.api("GET", `${path}/webhooks/${id}`, { token: ada.token });
    return json["waiting"] === 0;
  });
  const many = await of("/redeliver", { status: "delivered" });
  expect(many.json).toEqual({ redelivered: 3, more: false });
  await eventually(() => receivedAt(path).length === 7);
});
