import { once } from "node:events";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  const sockets = new WebSocketServer({ noServer: true });
  server.http.upgrades.registerUpgrade(
    "/test/:name",
    { authentication: "actor" },
    ({ req, socket, head, params }, actor) => {
      sockets.handleUpgrade(req, socket, head, (ws) => ws.send(`${params["name"]} ${actor.username}`));
    },
  );
});
afterAll(() => server.stop());

const wss = (path: string) => `${server.webUrl.replace("https", "wss")}${path}`;

async function refusal(path: string, headers: Record<string, string>): Promise<number> {
  const ws = new WebSocket(wss(path), { ca: server.ca, headers });
  ws.on("error", () => undefined);
  const [, res] = (await once(ws, "unexpected-response")) as [unknown, { statusCode: number }];
  return res.statusCode;
}

test("lets in with an Authorization header, or with our own origin", async () => {
  for (const [headers, username] of [
    [{ Authorization: `Bearer ${ada.token}` }, "ada"],
    [{ Origin: server.webUrl }, "anonymous"],
  ] as const) {
    const ws = new WebSocket(wss("/test/socket"), { ca: server.ca, headers });
    const [message] = (await once(ws, "message")) as [Buffer];
    expect(String(message)).toBe(`socket ${username}`);
    ws.terminate();
  }
});

test("refuses without both, from a foreign origin, with a bad token, a token in the address, and elsewhere", async () => {
  const bearer = { Authorization: `Bearer ${ada.token}` };
  expect(await refusal("/test/socket", {})).toBe(401);
  expect(await refusal("/test/socket", { ...bearer, Origin: "https://evil.example" })).toBe(403);
  expect(await refusal("/test/socket", { Authorization: "Bearer nonsense" })).toBe(401);
  expect(await refusal(`/test/socket?token=${ada.token}`, bearer)).toBe(401);
  expect(await refusal("/nowhere", bearer)).toBe(404);
});

test("a refused upgrade leaves nothing open, though the client stays", async () => {
  for (const [path, status] of [
    ["/nowhere", "404"],
    ["//", "404"],
    ["/test/socket", "401"],
  ]) {
    const { ca, httpsPort: port } = server;
    const address = { port, host: "127.0.0.1", servername: "localhost", ca };
    const client = connect(Object.assign(address, { allowHalfOpen: true }));
    let isGone = false;
    client.on("error", () => undefined).on("close", () => (isGone = true));
    client.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    const [answer] = (await once(client, "data")) as [Buffer];
    expect([path, String(answer).split(" ")[1]]).toEqual([path, status]);
    // Only who writes learns that the other side is gone, and not only done with its words.
    await eventually(() => {
      if (!isGone) client.write("x");
      return isGone;
    });
  }
});
