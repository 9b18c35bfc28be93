/**
 * Rows 16 and 17, and 49 and 50 for mirrors: no address is a path, a program or an option; nothing inside is dialled; a source leads
 * nowhere else, gets no credentials that are not its own, and cannot make us take objects that nobody has checked.
 */
import { createServer, type Server } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { listRemoteRefs } from "@forgeline/server/platform/git/remote/list-remote-refs.ts";
import { openRemote } from "@forgeline/server/platform/git/remote/open-remote.ts";
import type { RemoteSource } from "@forgeline/server/platform/git/remote/remote-source.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import type { ResolvedAddress } from "@forgeline/server/platform/outbound/checked-addresses.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";
import { readBed } from "../support/bed.ts";
import { hostileAddresses } from "../support/hostile-addresses.ts";
import { insideSpellings } from "../support/inside-spellings.ts";
import { lfsObject } from "../support/lfs-server.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../support/mirror-bed.ts";

let bed: MirrorBed;
let target: Mirrored;
let ca: string;
/** Whoever connects here has been led astray. */
let sink: Server;
let connections = 0;

beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirror-attacks" });
  target = await bed.repository();
  ca = await readFile((await readBed()).certificates.caFile, "utf8");
  sink = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  sink.listen(0, "127.0.0.1");
  await once(sink, "listening");
});
afterAll(async () => {
  sink?.close();
  await bed?.close();
});
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

const sinkPort = () => (sink.address() as AddressInfo).port;

test.each(hostileAddresses)("%j is no address", async (url) => {
  for (const [method, path] of [
    ["PUT", "/mirror"],
    ["POST", "/mirror/preview"],
  ] as const) {
    const answer = await bed.send(method, target.at + path, { url });
    expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, "url"]);
  }
  expect((await bed.send("GET", target.at)).json).toMatchObject({ mirror: false });
});

const outboundFor = (allow: string, resolve?: (host: string) => Promise<ResolvedAddress[]>) =>
  createOutbound({
    allowed: parseAddressRanges(allow).ranges,
    extraCa: ca,
    logger: { warn: () => undefined },
    ...(resolve ? { resolve } : {}),
  });
const nobody = { basic: null, privateKey: null, hostKey: null };

test.each(insideSpellings)("%s is not dialled, by any protocol", async (host) => {
  connections = 0;
  for (const protocol of ["https", "ssh", "git"] as const) {
    const address = `${protocol}://${host}:${sinkPort()}/x.git`;
    if (!URL.canParse(address)) continue;
    const url = new URL(address);
    const source: RemoteSource = {
      protocol,
      url: url.href,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: sinkPort(),
    };
    await expect(openRemote(outboundFor(""), { source, login: nobody, use: "fetch" })).rejects.toMatchObject({
      reason: "no_public_address",
    });
  }
  expect(connections).toBe(0);
});

test("a name that leads inside at the second look is not dialled there, and one bad address is enough to refuse", async () => {
  const source = await bed.source.create("rebinding");
  await source.commit("main", { "a.txt": "a" });
  const remote: RemoteSource = {
    protocol: "https",
    url: source.url,
    host: "localhost",
    port: bed.source.port,
  };
  let looks = 0;
  const changing = outboundFor("127.0.0.1", async () =>
    looks++ === 0 ? [{ address: "127.0.0.1", family: 4 }] : [{ address: "10.0.0.1", family: 4 }],
  );
  const opened = await openRemote(changing, { source: remote, login: nobody, use: "fetch" });
  const directory = target.directory;
  const signal = AbortSignal.timeout(20_000);
  const { run } = bed.server.container.platform.git;
  await expect(listRemoteRefs(run, opened, { directory, signal })).rejects.toThrow(
    /502|unable to access|returned error|disconnect|empty reply/i,
  );
  expect(opened.problem()).toMatchObject({
    kind: "unreachable",
    message: "localhost has no public address.",
  });
  await opened.close();
  const mixed = outboundFor("127.0.0.1", async () => [
    { address: "127.0.0.1", family: 4 },
    { address: "169.254.169.254", family: 4 },
  ]);
  await expect(openRemote(mixed, { source: remote, login: nobody, use: "fetch" })).rejects.toMatchObject({
    reason: "no_public_address",
  });
});

test("redirects are not followed, not even on the source, and nobody else sees the credentials", async () => {
  connections = 0;
  const source = await bed.source.create("redirecting");
  await source.commit("main", { "a.txt": "a" });
  const places = [
    `https://127.0.0.1:${sinkPort()}/x.git`,
    "http://169.254.169.254/latest",
    `${bed.source.url}/plain.git`,
  ];
  for (const [index, place] of places.entries())
    for (const code of [301, 302, 303, 307, 308]) {
      bed.source.requests.length = 0;
      bed.source.answer = (request, response) =>
        void response.writeHead(code, { location: `${place}${request.url}` }).end();
      const url = source.url.replace("https://", "https://bot:s3cret@");
      const answer = await bed.send("POST", `${target.at}/mirror/preview`, { url });
      expect([index, code, answer.status, answer.json.message]).toEqual([
        index,
        code,
        409,
        expect.stringContaining("redirects to another address"),
      ]);
      expect(bed.source.requests).toHaveLength(1);
    }
  expect(connections).toBe(0);
});

test("the old protocol, which brings objects that nobody checks, is not spoken", async () => {
  const source = await bed.source.create("dumb");
  await source.commit("main", { "a.txt": "a" });
  await source.git("update-server-info");
  bed.source.requests.length = 0;
  bed.source.answer = (request, response, usual) => {
    // As a plain web server with the files of a repository.
    if (!request.url?.includes("service=")) return usual();
    void readFile(`${source.directory}/info/refs`).then((text) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(text),
    );
  };
  const mirror = await bed.mirror(source);
  expect(await mirror.ended()).toMatchObject({
    status: "failed",
    error: "What is at this address is no Git repository.",
  });
  expect(new Set(bed.source.requests.map(({ path }) => path))).toEqual(
    new Set([`${source.path}/info/refs?service=git-upload-pack`]),
  );
});

test("a list of Git LFS objects leads nowhere inside, and gets no credentials that are not the source's own", async () => {
  connections = 0;
  const source = await bed.source.create("lfs");
  const object = lfsObject("large");
  await source.commit("main", {
    "a.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.size}\n`,
  });
  const mirror = await bed.repository();
  const places = [
    "https://10.0.0.1/x",
    `http://127.0.0.1:${sinkPort()}/x`,
    "file:///etc/passwd",
    "https://[::1]/x",
  ];
  for (const href of places) {
    bed.source.answer = (request, response, usual) => {
      if (!request.url?.endsWith("/info/lfs/objects/batch")) return usual();
      const objects = [{ oid: object.oid, size: object.size, actions: { download: { href } } }];
      response.writeHead(200, { "content-type": "application/vnd.git-lfs+json" });
      response.end(JSON.stringify({ transfer: "basic", objects }));
    };
    await bed.send("PUT", `${mirror.at}/mirror`, {
      url: source.url.replace("https://", "https://bot:s3cret@"),
    });
    const sync = await mirror.sync();
    expect([href, sync.status]).toEqual([href, "failed"]);
    expect(await mirror.refs()).toEqual([]);
  }
  expect(connections).toBe(0);
  let given: string | undefined = "none";
  bed.source.answer = (request, response, usual) => {
    if (request.url?.endsWith("/objects/batch")) {
      const href = `${bed.source.url.replace("localhost", "127.0.0.1")}/object`;
      response
        .writeHead(200)
        .end(JSON.stringify({ objects: [{ oid: object.oid, actions: { download: { href } } }] }));
    } else if (request.url === "/object") {
      given = request.headers.authorization;
      response.writeHead(200).end(object.bytes);
    } else usual();
  };
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", lfs_objects: 1 });
  expect(given).toBeUndefined();
});

test("the way out is for our own Git alone", async () => {
  const source = await bed.source.create("relay");
  await source.commit("main", { "a.txt": "a" });
  const remote: RemoteSource = {
    protocol: "https",
    url: source.url,
    host: "localhost",
    port: bed.source.port,
  };
  const opened = await openRemote(outboundFor("127.0.0.1"), {
    source: remote,
    login: { ...nobody, basic: { username: "bot", password: "s3cret" } },
    use: "fetch",
  });
  bed.source.requests.length = 0;
  const asked = `${opened.url}/info/refs?service=git-upload-pack`;
  expect((await fetch(asked)).status).toBe(403);
  expect((await fetch(asked, { headers: { "x-forgeline-relay": "0".repeat(64) } })).status).toBe(403);
  // A mirror of another test may be synced just now.
  expect(bed.source.requests.filter(({ path }) => path.startsWith(source.path))).toEqual([]);
  expect([...opened.options, opened.url].join(" ")).not.toMatch(/s3cret|[0-9a-f]{64}/);
  await opened.close();
});
