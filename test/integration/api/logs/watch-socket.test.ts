/** Access to the watch socket: tokens, tickets, origins, and permissions that end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import { openBrowser, signUp } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import { connectViewer } from "../../../support/log-viewer.ts";
import { logApi, type LogApi } from "./fixture.ts";

let api: LogApi;
let open: LogApi;
beforeAll(async () => {
  // Whoever is closed is closed by the news.
  const periods = { viewerCheckMs: 3_600_000 };
  [api, open] = await Promise.all([logApi("private", { periods }), logApi("public", { periods })]);
});
afterAll(async () => {
  await Promise.all([api.server.stop(), open.server.stop()]);
});

function connect(
  to: LogApi,
  options: { token?: string; origin?: string; protocols?: string[]; query?: string } = {},
) {
  const url = `${to.server.baseUrl.replace("https:", "wss:")}${to.path}/logs/stream${options.query ?? ""}`;
  const headers: Record<string, string> = {};
  if (options.token) headers["Authorization"] = `Bearer ${options.token}`;
  if (options.origin) headers["Origin"] = options.origin;
  return connectViewer(url, {
    headers,
    ca: to.server.ca,
    ...(options.protocols && { protocols: options.protocols }),
  });
}

async function statusOf(viewer: ReturnType<typeof connect>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  void viewer.opened.then(() => resolve(101));
  viewer.socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
  const status = await promise;
  viewer.socket.terminate();
  return status;
}

async function ticketFor(to: LogApi): Promise<string[]> {
  const answer = await to.server.api("POST", `${to.path}/logs/stream-tickets`, { token: to.owner.token });
  expect(answer.status).toBe(201);
  expect(answer.headers["cache-control"]).toBe("no-store");
  return answer.json.protocols;
}

describe("the watch socket", () => {
  it("serves the holder of a token", async () => {
    const viewer = connect(api, { token: api.owner.token, query: "?step=compile&from=23" });
    await eventually(() => viewer.text(api.stepStream).equals(api.step.subarray(23)));
    viewer.socket.terminate();
  });

  it("serves who cannot read zstd the same bytes without it", async () => {
    const viewers = ["true", "false"].map((zstd) =>
      connect(api, { token: api.owner.token, query: `?step=compile&zstd=${zstd}` }),
    );
    const compressed = viewers.map((viewer) => {
      let count = 0;
      viewer.socket.on("message", (data: Buffer, isBinary) => {
        if (isBinary && decodeLogFrame(data).compressed) count += 1;
      });
      return () => count;
    });
    for (const viewer of viewers) {
      await eventually(() => viewer.text(api.stepStream).equals(api.step));
      viewer.socket.terminate();
    }
    expect(compressed[0]?.()).toBeGreaterThan(0);
    expect(compressed[1]?.()).toBe(0);
  });

  it("serves a browser with a ticket, once, and never says the ticket back", async () => {
    const origin = api.server.webUrl;
    const protocols = await ticketFor(api);
    const viewer = connect(api, { origin, protocols });
    await eventually(() => viewer.text(api.stepStream).equals(api.step));
    expect(viewer.socket.protocol).toBe(logWatchProtocol);
    viewer.socket.terminate();
    expect(await statusOf(connect(api, { origin, protocols }))).toBe(401);
  });

  it("refuses expired tickets and those of another run", async () => {
    const origin = api.server.webUrl;
    const protocols = await ticketFor(api);
    await api.server.container.platform.db.query(
      "update log_stream_tickets set expires_at = now() - interval '1 second'",
    );
    expect(await statusOf(connect(api, { origin, protocols }))).toBe(401);
    const foreign = await ticketFor(api);
    await api.server.container.platform.db.query("delete from log_stream_tickets where expires_at < now()");
    await api.server.container.platform.db.query(
      `with other as (insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by)
         select 'pipe_00000000000000000000000000', repository_id, 2, file, source, ref, sha, event, triggered_by
           from pipelines where id = $1 returning id)
       select 1`,
      [api.run.pipelineId],
    );
    const elsewhere = { ...api, path: api.path.replace(/pipe_.*/, "pipe_00000000000000000000000000") };
    expect(await statusOf(connect(elsewhere, { origin, protocols: foreign }))).toBe(401);
  });

  it("closes when a viewer sends more than a frame may hold", async () => {
    const viewer = connect(api, { token: api.owner.token });
    await eventually(() => viewer.socket.readyState === viewer.socket.OPEN);
    const closed = new Promise<number>((resolve) => viewer.socket.once("close", resolve));
    viewer.socket.send("x".repeat(64 * 1024 + 1));
    expect(await closed).toBe(1009);
  });

  it("closes when a viewer sends a message in too many pieces", async () => {
    const { socket, closed } = connect(api, { token: api.owner.token });
    await eventually(() => socket.readyState === socket.OPEN);
    const ignore = () => undefined;
    for (let piece = 0; piece < 20; piece += 1) socket.send(" ", { fin: false }, ignore);
    expect((await closed).code).toBe(1008);
  });

  it("refuses foreign origins, no origin without a header, and tokens in the address", async () => {
    const { token } = api.owner;
    expect(await statusOf(connect(api, { token, origin: "https://evil.example" }))).toBe(403);
    expect(await statusOf(connect(api, { protocols: await ticketFor(api) }))).toBe(401);
    expect(await statusOf(connect(api, { origin: api.server.webUrl, query: `?from=${token}` }))).toBe(401);
  });

  it("answers like REST to who may not read", async () => {
    const origin = api.server.webUrl;
    expect(await statusOf(connect(api, { token: api.stranger.token }))).toBe(404);
    expect(await statusOf(connect(api, { origin }))).toBe(404);
    expect(await statusOf(connect(api, { token: await api.server.tokenFor(api.owner, ["repo:read"]) }))).toBe(
      403,
    );
    expect(await statusOf(connect(api, { token: api.owner.token, query: "?step=0&nonsense=1" }))).toBe(400);
    const stranger = await api.server.api("POST", `${api.path}/logs/stream-tickets`, {
      token: api.stranger.token,
    });
    expect(stranger.status).toBe(404);
  });

  it("serves public logs to everyone", async () => {
    const viewer = connect(open, { origin: open.server.webUrl });
    await eventually(() => viewer.text(open.stepStream).equals(open.step));
    viewer.socket.terminate();
  });

  it("closes with 4401 when the token is revoked", async () => {
    const token = await api.server.tokenFor(api.owner, ["repo:read", "pipeline:read"]);
    const viewer = connect(api, { token });
    await eventually(() => viewer.messages.length > 0);
    const row = await api.server.container.platform.db.one<{ id: string }>(
      "select id from access_tokens where user_id = $1 order by id desc limit 1",
      [api.owner.id],
    );
    const revoked = await api.server.api("DELETE", `/user/tokens/${row?.id ?? ""}`, {
      token: await api.server.tokenFor(api.owner, ["user:write"]),
    });
    expect(revoked.status).toBe(204);
    expect((await viewer.closed).code).toBe(4401);
  });

  it("serves a signed-in browser by a ticket, and closes with 4401 when it signs out", async () => {
    const password = "a long enough password";
    await signUp(open.server, "reader", password);
    const browser = openBrowser(open.server);
    await browser.signIn("reader", password);
    const ticket = await browser.send("POST", `${open.path}/logs/stream-tickets`);
    const viewer = connect(open, { origin: open.server.webUrl, protocols: ticket.json.protocols });
    await eventually(() => viewer.text(open.stepStream).equals(open.step));
    await browser.send("DELETE", "/user/sessions/current");
    expect((await viewer.closed).code).toBe(4401);
  });
});
