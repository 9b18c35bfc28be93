/** Webhooks from an event to a receiver: a server, a worker, Temporal, and HTTPS receivers that behave or do not. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { webhookRetriesWorkflowId } from "@forgeline/schemas/webhooks/workflow.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWebhookBed, type Hooked, type WebhookBed } from "../../../support/webhook-bed.ts";
import { accepting, refusing, signatureOf } from "../../../support/webhook-receiver.ts";

let bed: WebhookBed;
beforeAll(async () => {
  bed = await startWebhookBed({ name: "webhooks", worker: true, periods: { webhookRetryMs: 200 } });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.receiver.answer = accepting;
});

const pushed = (body: object = {}) => bed.hooked({ events: ["push"], ...body });
const write = ({ path }: Hooked, file: string) =>
  bed.send("PUT", `${path}/contents/${file}`, {
    message: `Add ${file}`,
    content: Buffer.from(file).toString("base64"),
    branch: "main",
  });

test("a push reaches the receiver, signed in both forms, with its commits", async () => {
  const hooked = await pushed();
  await write(hooked, "a.txt");
  const [one] = await eventually(() => hooked.received().length > 0 && hooked.received());
  expect(one?.json).toMatchObject({
    event: "push",
    action: "updated",
    sequence: 1,
    ref: "refs/heads/main",
    forced: false,
    total_commits: 1,
    commits: [{ message: "Add a.txt\n" }],
    repository: { full_name: hooked.path.slice("/repos/".length) },
    sender: { username: "ada" },
  });
  const { body = "", headers = {} } = one ?? {};
  expect(headers["x-svc-signature-256"]).toBe(signatureOf(hooked.secret, body));
  expect(headers["x-svc-event"]).toBe("push");
  expect(headers["webhook-id"]).toBe(headers["x-svc-delivery"]);
  await hooked.settled();
  const shown = await bed.send("GET", `${hooked.hook}/deliveries/${String(headers["x-svc-delivery"])}`);
  expect(shown.json).toMatchObject({
    status: "delivered",
    request_body: body,
    attempts: [{ attempt: 1, status: 204, error: null }],
  });
});

test("what is refused is tried again under the same id until it is accepted", async () => {
  const hooked = await pushed();
  let refused = 0;
  bed.receiver.answer = (request, response, count) =>
    (refused++ < 2 ? refusing(503) : accepting)(request, response, count);
  await write(hooked, "b.txt");
  const tries = await eventually(() => hooked.received().length >= 3 && hooked.received());
  expect(new Set(tries.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(1);
  expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
  await hooked.settled();
  const { json } = await bed.send("GET", `${hooked.hook}/deliveries`);
  expect(json).toMatchObject([{ status: "delivered", attempts_count: 3, error: null, response_status: 204 }]);
});

test("an ordered webhook keeps the order across failures", async () => {
  const hooked = await bed.hooked({ ordered: true });
  let refused = 0;
  bed.receiver.answer = (request, response, count) => {
    const act = request.json["sequence"] === 2 && refused++ < 2 ? refusing(500) : accepting;
    act(request, response, count);
  };
  for (let count = 0; count < 5; count += 1) await hooked.change();
  await eventually(() => hooked.received().some(({ json }) => json["sequence"] === 5));
  expect(hooked.received().map(({ json }) => json["sequence"])).toEqual([1, 2, 2, 2, 3, 4, 5]);
  await hooked.settled();
});

test("an ordered webhook that is switched on again begins where it stopped", async () => {
  const hooked = await bed.hooked({ ordered: true });
  bed.receiver.answer = refusing(500);
  for (let count = 0; count < 3; count += 1) await hooked.change();
  await eventually(() => hooked.received().length > 0);
  await bed.send("PATCH", hooked.hook, { active: false });
  const before = hooked.received().length;
  bed.receiver.answer = (request, response, count) =>
    void setTimeout(() => accepting(request, response, count), 50);
  await bed.send("PATCH", hooked.hook, { active: true });
  await hooked.settled();
  const after = hooked.received().slice(before);
  expect(after.map(({ json }) => json["sequence"])).toEqual([1, 2, 3]);
});

test("an ordered webhook has one request at a time", async () => {
  const hooked = await bed.hooked({ ordered: true });
  let open = 0;
  let most = 0;
  bed.receiver.answer = (_request, response) => {
    most = Math.max(most, (open += 1));
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 30);
  };
  await Promise.all(Array.from({ length: 8 }, () => hooked.change()));
  await hooked.settled();
  expect(most).toBe(1);
});

// Its pauses grow while it is dead, and so with how long a busy machine takes for the changes.
test("a dead endpoint gets single tries, and everything once it is back", { timeout: 150_000 }, async () => {
  const hooked = await bed.hooked();
  bed.receiver.answer = refusing(500);
  for (let count = 0; count < 30; count += 1) await hooked.change();
  await eventually(async () => {
    const { json } = await bed.send("GET", hooked.hook);
    return json["next_attempt_at"] !== null && json["waiting"] === 30;
  });
  // Ten at once at most were under way when the gate closed, and a few single ones followed.
  expect(hooked.received().length).toBeLessThan(25);
  bed.receiver.answer = accepting;
  await hooked.settled();
  const ids = new Set(hooked.received().map(({ headers }) => headers["x-svc-delivery"]));
  expect(ids.size).toBe(30);
});

test("an endpoint that asks for a pause gets it, and everything afterwards", async () => {
  const hooked = await pushed();
  let asked = 0;
  bed.receiver.answer = (request, response, count) => {
    if (asked++ > 0) return accepting(request, response, count);
    response.writeHead(429, { "retry-after": "2" }).end();
  };
  await write(hooked, "first.txt");
  const paused = await eventually(async () => {
    const { json } = await bed.send("GET", hooked.hook);
    return json["next_attempt_at"] !== null && json;
  });
  const waits = Date.parse(paused["next_attempt_at"] as string) - (hooked.received()[0]?.at ?? 0);
  expect(waits).toBeGreaterThanOrEqual(2_000);
  await write(hooked, "second.txt");
  await hooked.settled();
  const sequences = hooked.received().map(({ json }) => json["sequence"]);
  expect(sequences.slice(0, 2)).toEqual([1, 1]);
  expect(new Set(sequences)).toEqual(new Set([1, 2]));
});

test("a dead endpoint that gets another address is sent to at once", async () => {
  const hooked = await bed.hooked();
  bed.receiver.answer = (request, response, count) =>
    (request.path === "/elsewhere" ? accepting : refusing(500))(request, response, count);
  for (let count = 0; count < 6; count += 1) await hooked.change();
  await eventually(async () => (await bed.send("GET", hooked.hook)).json["next_attempt_at"] !== null);
  await bed.send("PATCH", hooked.hook, { url: `${bed.receiver.url}/elsewhere` });
  await hooked.settled();
  expect(bed.receiver.received.filter(({ path }) => path === "/elsewhere")).toHaveLength(6);
});

test("what the address of before answers late says nothing about the new one", async () => {
  const hooked = await pushed();
  const { promise: moved, resolve: move } = Promise.withResolvers<void>();
  bed.receiver.answer = (request, response, count) => {
    if (request.path === "/moved") return accepting(request, response, count);
    void moved.then(() => response.writeHead(503, { "retry-after": "3600" }).end());
  };
  await write(hooked, "first.txt");
  await eventually(() => hooked.received().length > 0);
  await bed.send("PATCH", hooked.hook, { url: `${bed.receiver.url}/moved` });
  move();
  await hooked.settled();
  expect(hooked.received()).toHaveLength(1);
  expect(bed.receiver.received.filter(({ path }) => path === "/moved")).toHaveLength(1);
});

test("retries are background work of the repository or the organization", async () => {
  await bed.send("POST", "/orgs", { name: "acme" });
  bed.receiver.answer = refusing(500);
  const ofRepository = await pushed();
  const { json: hook } = await bed.send("POST", "/orgs/acme/webhooks", {
    url: `${bed.receiver.url}/acme`,
    events: ["repository"],
  });
  await bed.send("POST", "/repos", { name: "code", owner: "acme" });
  await write(ofRepository, "a.txt");
  const work = (id: string) =>
    eventually(async () => {
      const { status, json } = await bed.send("GET", `/admin/work/${webhookRetriesWorkflowId(id)}`);
      return status === 200 && json;
    });
  expect((await work(hook["id"] as string))["subject"]).toMatchObject({
    repository: null,
    repository_url: null,
    organization: "acme",
    web_url: `${bed.server.webUrl}/orgs/acme/webhooks/${hook["id"]}`,
  });
  const name = ofRepository.path.slice("/repos/".length);
  expect((await work(ofRepository.id))["subject"]).toMatchObject({ repository: name, organization: null });
  const { json: cancelled } = await bed.send(
    "POST",
    `/admin/work/${webhookRetriesWorkflowId(hook["id"] as string)}/cancel`,
  );
  expect(cancelled["error"]).toBeUndefined();
  const [entry] = (await bed.send("GET", "/orgs/acme/audit-log?action=admin.work_cancel")).json as object[];
  expect(entry).toMatchObject({ target: { type: "organization", name: "acme" } });
});

test("ping, test and redelivery", async () => {
  const hooked = await pushed();
  const of = (suffix: string, body?: object) => bed.send("POST", `${hooked.hook}${suffix}`, body);
  const arrived = (count: number) => eventually(() => hooked.received()[count - 1]);
  expect((await of("/ping")).status).toBe(202);
  expect((await arrived(1)).json).toMatchObject({ event: "ping", test: true, webhook: { id: hooked.id } });
  expect((await of("/test", { event: "tag" })).status).toBe(409);
  await write(hooked, "pushed.txt");
  await arrived(2);
  expect((await of("/test", { event: "push" })).status).toBe(202);
  const tested = await arrived(3);
  expect(tested.json).toMatchObject({ event: "push", action: "updated", test: true });
  const delivery = String(tested.headers["x-svc-delivery"]);
  await hooked.settled();
  expect((await of(`/deliveries/${delivery}/redeliver`)).status).toBe(202);
  const again = await arrived(4);
  expect(again.headers["x-svc-delivery"]).toBe(delivery);
  expect(again.body).toBe(tested.body);
  await hooked.settled();
  const turned = { since: "2026-11-26T09:00:00Z", until: "2026-11-26T08:00:00Z" };
  expect(await of("/redeliver", turned)).toMatchObject({
    status: 422,
    json: { errors: [{ field: "until" }] },
  });
  const many = await of("/redeliver", { status: "delivered" });
  expect(many.json).toEqual({ redelivered: 3, more: false });
  await arrived(7);
});
