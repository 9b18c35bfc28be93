/** The proxy of a job by itself: what it lets pass, what it refuses, and in which words. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, createServer as createListener, type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openJobProxy, type JobProxy } from "@forgeline/runner/egress/job-proxy.ts";
import { isListed, readTargets } from "@forgeline/runner/egress/job-targets.ts";
import { noteRefusals } from "@forgeline/runner/egress/noted-refusals.ts";
import { createReach } from "@forgeline/runner/egress/reach.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function freePort(): Promise<number> {
  const server = createListener().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A web server that says what it was asked. */
async function webServer(): Promise<number> {
  const server: Server = createServer((asked, response) => {
    const { host, "proxy-authorization": secret = "none" } = asked.headers;
    response.end(`${asked.method ?? ""} ${asked.url ?? ""} ${host ?? ""} ${String(secret)}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(server);
  return (server.address() as AddressInfo).port;
}

interface Given {
  allow: readonly string[];
  /** Of the operator. */
  operator?: readonly string[];
  isOfJob?: boolean;
  resolve?: (host: string) => Promise<string[]>;
}

async function proxyFor(given: Given): Promise<number> {
  const port = await freePort();
  const proxy: JobProxy = await openJobProxy({
    address: "127.0.0.1",
    port,
    isOfJob: () => given.isOfJob ?? true,
    reach: createReach({
      targets: readTargets(given.allow),
      settings: { allow: given.operator ?? ["127.0.0.1"] },
      resolve: given.resolve ?? (() => Promise.resolve(["127.0.0.1"])),
    }),
  });
  open.push(proxy);
  return port;
}

/** Everything that comes back for these bytes. */
async function say(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.write(text);
  await Promise.race([once(socket, "close"), once(socket, "end")]);
  return Buffer.concat(parts).toString();
}

async function get(port: number, url: string): Promise<{ status: number | undefined; text: string }> {
  const asked = request({ host: "127.0.0.1", port, path: url, headers: { "proxy-authorization": "x" } });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let text = "";
  for await (const part of response) text += String(part);
  return { status: response.statusCode, text };
}

test("bytes of a listed host go to and fro", async () => {
  const web = await webServer();
  const port = await proxyFor({ allow: [`api.example.com:${String(web)}`] });
  const answer = await say(
    port,
    `CONNECT api.example.com:${String(web)} HTTP/1.1\r\n\r\nGET /x HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(answer).toContain("GET /x inside none");
});

test("a request for http:// is made again, without what was meant for the proxy", async () => {
  const web = await webServer();
  const port = await proxyFor({ allow: ["*.example.com"] });
  const host = `a.b.example.com:${String(web)}`;
  expect(await get(port, `http://${host}/p?q=1`)).toEqual({ status: 200, text: `GET /p?q=1 ${host} none` });
});

test.each([
  ["www.example.org:443", "is not in the list that this job may reach"],
  ["example.com:443", "is not in the list"],
  ["api.example.com:22", "is not in the list"],
  ["evil-example.com:443", "is not in the list"],
  ["127.0.0.1:443", "is not in the list"],
  ["nonsense", "CONNECT needs a host and a port"],
])("CONNECT %s is refused in words", async (target, words) => {
  const port = await proxyFor({ allow: ["*.example.com:443"] });
  const answer = await say(port, `CONNECT ${target} HTTP/1.1\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden/);
  expect(answer).toContain(words);
});

test("a name that leads to a private address is refused, unless the operator permits it", async () => {
  const port = await proxyFor({ allow: ["inside.example.com"], operator: [] });
  const { status, text } = await get(port, "http://inside.example.com/");
  expect(status).toBe(403);
  expect(text).toContain("inside.example.com (127.0.0.1) is not in the Internet");
});

test("a name that nobody knows, and one that is not listed, which nobody is asked for", async () => {
  const asked: string[] = [];
  const resolve = (host: string): Promise<string[]> => {
    asked.push(host);
    return Promise.resolve([]);
  };
  const port = await proxyFor({ allow: ["gone.example.com"], resolve });
  expect((await get(port, "http://gone.example.com/")).status).toBe(502);
  expect((await get(port, "http://secret-data.example.net/")).status).toBe(403);
  expect((await get(port, "/no-proxy-request")).status).toBe(403);
  expect(asked).toEqual(["gone.example.com"]);
});

test("others are not answered", async () => {
  const port = await proxyFor({ allow: ["*.example.com"], isOfJob: false });
  expect(await say(port, "CONNECT a.example.com:443 HTTP/1.1\r\n\r\n")).toBe("");
});

test("names are looked up one after the other, and only so many wait", async () => {
  let now = 0;
  let most = 0;
  const reach = createReach({
    targets: readTargets(["*.example.com"]),
    settings: { allow: [] },
    async resolve() {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      return ["1.1.1.1"];
    },
  });
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, i) => reach({ host: `h${String(i)}.example.com`, port: 443 })),
  );
  expect(most).toBe(1);
  expect(all.filter((each) => "status" in each && each.status === 503)).toHaveLength(36);
});

test("what was refused is remembered, each once and no more than twenty", async () => {
  const targets = readTargets(["inside.example.com"]);
  const { reach, refused } = noteRefusals(
    createReach({ targets, settings: { allow: [] }, resolve: async () => ["127.0.0.1"] }),
  );
  for (const host of ["pypi.org", "inside.example.com", "pypi.org"]) await reach({ host, port: 443 });
  expect(refused()).toEqual([
    "pypi.org:443 is not in the list that this job may reach (`network`)",
    expect.stringContaining("the runner's operator can allow it"),
  ]);
  for (let i = 0; i < 30; i += 1) await reach({ host: `h${String(i)}.example.com`, port: 443 });
  expect(refused()).toHaveLength(21);
  expect(refused().at(-1)).toBe("more hosts were refused");
});

test.each([
  ["registry.npmjs.org", "REGISTRY.npmjs.org.", 443, true],
  ["registry.npmjs.org:443", "registry.npmjs.org", 80, false],
  ["*.example.com", "example.com", 443, false],
  ["192.0.2.0/24", "192.0.2.9", 5432, true],
  ["192.0.2.0/24", "name.example.com", 5432, false],
  ["[2001:db8::1]:443", "2001:db8::1", 443, true],
  ["2001:db8::/32", "2001:db9::1", 443, false],
])("%s lists %s:%i: %s", (entry, host, port, listed) => {
  expect(isListed(readTargets([entry]), { host, port })).toBe(listed);
});
