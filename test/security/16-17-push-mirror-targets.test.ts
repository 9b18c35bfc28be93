/**
 * Rows 16, 17 and 49 to 51 for push mirrors: no address is a path, a program or an option; a target leads nowhere else, gets no
 * credentials that are not its own, and cannot keep us busy; and the way out to a source lets nothing be pushed.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openRemote } from "@forgeline/server/platform/git/remote/open-remote.ts";
import { pushRefs, PushTooSlowError } from "@forgeline/server/platform/git/remote/push-refs.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";
import { readBed } from "../support/bed.ts";
import { hostileAddresses } from "../support/hostile-addresses.ts";
import { insideSpellings } from "../support/inside-spellings.ts";
import { lfsObject, lfsUpload } from "../support/lfs-server.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../support/mirror-bed.ts";
import { addPushMirror, commitHere, createTarget } from "../support/push-mirror-bed.ts";

let bed: MirrorBed;
let repository: Mirrored;
let ca: string;
/** Whoever connects here has been led astray. */
let sink: Server;
let connections = 0;

beforeAll(async () => {
  bed = await startMirrorBed({ name: "push-attacks" });
  repository = await bed.repository({ readme: true });
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

const outbound = (allow = "127.0.0.1") =>
  createOutbound({
    allowed: parseAddressRanges(allow).ranges,
    extraCa: ca,
    logger: { warn: () => undefined },
  });
const nobody = { basic: null, privateKey: null, hostKey: null };

const sinkPort = () => (sink.address() as AddressInfo).port;
const add = (url: string) => bed.send("POST", `${repository.at}/push-mirrors`, { url });

test.each(hostileAddresses)("%j is no address", async (url) => {
  const answer = await add(url);
  expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, "url"]);
});

test.each(insideSpellings)("%s is not dialled, by any protocol", async (host) => {
  connections = 0;
  for (const protocol of ["https", "ssh"] as const) {
    const url = `${protocol}://${host}:${sinkPort()}/x.git`;
    if (!URL.canParse(url)) continue;
    const name = new URL(url).hostname.replace(/^\[|\]$/g, "");
    const source = { protocol, url, host: name, port: sinkPort() };
    await expect(openRemote(outbound(""), { source, login: nobody, use: "push" })).rejects.toMatchObject({
      reason: "no_public_address",
    });
  }
  expect(connections).toBe(0);
});

test("redirects are not followed, neither for reading nor for pushing, and nobody else sees the credentials", async () => {
  connections = 0;
  const target = await createTarget(bed);
  const url = target.url.replace("https://", "https://bot:s3cret@");
  const mirror = await addPushMirror(bed, repository, { url, enabled: false });
  const places = [`https://127.0.0.1:${sinkPort()}/x.git`, "http://169.254.169.254/latest", target.url];
  for (const service of ["git-upload-pack", "git-receive-pack"])
    for (const place of places)
      for (const code of [301, 302, 307]) {
        bed.source.answer = (request, response, usual) =>
          request.url?.includes(service)
            ? void response.writeHead(code, { location: `${place}${request.url}` }).end()
            : usual();
        const asked = await bed.send("POST", `${mirror.at}/sync`);
        expect(asked.status).toBe(202);
        const ended = await mirror.sync();
        expect([service, place, code, ended.error]).toEqual([
          service,
          place,
          code,
          "The target redirects to another address. Use that address instead.",
        ]);
      }
  expect(connections).toBe(0);
  expect(await target.refs()).toEqual([]);
});

test("a server that knows nothing of Git is not written to", async () => {
  const target = await createTarget(bed);
  await target.git("update-server-info");
  bed.source.requests.length = 0;
  bed.source.answer = (_request, response) =>
    void response.writeHead(200, { "content-type": "text/plain", dav: "1,2" }).end("");
  const mirror = await addPushMirror(bed, repository, { url: target.url });
  expect((await mirror.ended()).error).toBe("What is at this address is no Git repository.");
  const asked = bed.source.requests.map(({ path }) => path).filter((path) => path.startsWith(target.path));
  expect(new Set(asked)).toEqual(new Set([`${target.path}/info/refs?service=git-upload-pack`]));
});

const sourceOf = (url: string) =>
  ({ protocol: "https", url, host: "localhost", port: bed.source.port }) as const;

test("the way out to a source lets nothing be pushed", async () => {
  const target = await createTarget(bed);
  const source = sourceOf(target.url);
  for (const [use, expected] of [
    ["fetch", 404],
    ["push", 200],
  ] as const) {
    const opened = await openRemote(outbound(), { source, login: nobody, use });
    const [name = "", value = ""] = (opened.env["FORGELINE_RELAY_HEADER"] ?? "").split(": ");
    const asked = `${opened.url}/info/refs?service=git-receive-pack`;
    const answer = await fetch(asked, { headers: { [name]: value } });
    expect([use, answer.status]).toEqual([use, expected]);
    await answer.body?.cancel();
    await opened.close();
  }
});

test("a ref is pushed only over the value that was seen at the target", async () => {
  const target = await createTarget(bed);
  const theirs = await target.commit("main", { "theirs.txt": "theirs" });
  const oid = await commitHere(bed, repository);
  const remote = await openRemote(outbound(), { source: sourceOf(target.url), login: nobody, use: "push" });
  const updates = ["main", "new"].map((name) => ({
    ref: `refs/heads/${name}`,
    before: "0".repeat(40),
    after: oid,
  }));
  const limits = { windowMs: 20_000, settleMs: 20_000, wholeMs: 60_000 };
  const watch = { signal: AbortSignal.timeout(30_000), limits, onProgress: () => undefined };
  const { start } = bed.server.container.platform.git;
  const pushed = await pushRefs(start, remote, { directory: repository.directory, updates, watch });
  await remote.close();
  expect(pushed.refs.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))).toEqual([
    { ref: "refs/heads/main", problem: { kind: "stale" } },
    { ref: "refs/heads/new", problem: null },
  ]);
  expect(await target.refs()).toEqual([`${theirs} refs/heads/main`, `${oid} refs/heads/new`]);
});

test("a target that talks for ever, or says nothing, is left", async () => {
  const target = await createTarget(bed);
  const oid = await commitHere(bed, repository);
  const chatter = Buffer.concat([Buffer.from("0fff\x02"), Buffer.alloc(0xfff - 5, "x")]);
  for (const talks of [true, false]) {
    bed.source.answer = (request, response, usual) => {
      if (request.method !== "POST" || !request.url?.endsWith("git-receive-pack")) return usual();
      request.resume();
      response.writeHead(200, { "content-type": "application/x-git-receive-pack-result" });
      const timer = setInterval(() => (talks ? response.write(chatter) : response.flushHeaders()), 1);
      response.on("close", () => clearInterval(timer));
    };
    const remote = await openRemote(outbound(), { source: sourceOf(target.url), login: nobody, use: "push" });
    const updates = [{ ref: "refs/heads/main", before: "0".repeat(40), after: oid }];
    const limits = { windowMs: 2_000, settleMs: 2_000, wholeMs: 60_000 };
    const watch = { signal: AbortSignal.timeout(30_000), limits, onProgress: () => undefined };
    const { start } = bed.server.container.platform.git;
    const { directory } = repository;
    await expect(pushRefs(start, remote, { directory, updates, watch })).rejects.toThrow(PushTooSlowError);
    await remote.close();
  }
});

test("where Git LFS objects are sent to is nowhere inside, and gets no credentials that are not the target's own", async () => {
  connections = 0;
  const withLfs = await bed.repository();
  const object = lfsObject("large");
  await lfsUpload(bed.server, `ada/${withLfs.name}`, object, bed.ada.token);
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.size}\n`;
  const content = Buffer.from(text).toString("base64");
  await bed.send("PUT", `${withLfs.at}/contents/a.bin`, { message: "a", content, branch: "main" });
  const target = await createTarget(bed);
  const url = target.url.replace("https://", "https://bot:s3cret@");
  const mirror = await addPushMirror(bed, withLfs, { url, enabled: false });
  await bed.send("POST", `${mirror.at}/sync`);
  await mirror.ended();
  const places = [
    "https://10.0.0.1/x",
    `http://127.0.0.1:${sinkPort()}/x`,
    "file:///etc/passwd",
    "https://[::1]/x",
  ];
  for (const action of ["upload", "verify"])
    for (const href of places) {
      bed.source.answer = (request, response, usual) => {
        if (request.url === "/object") return void response.writeHead(200).end();
        if (!request.url?.endsWith("/info/lfs/objects/batch")) return usual();
        const upload = { href: action === "upload" ? href : `${bed.source.url}/object` };
        const actions = { upload, ...(action === "verify" ? { verify: { href } } : {}) };
        response.writeHead(200).end(JSON.stringify({ objects: [{ oid: object.oid, actions }] }));
      };
      const sync = await mirror.sync();
      expect([action, href, sync.status]).toEqual([action, href, "failed"]);
    }
  expect(connections).toBe(0);
  expect(await target.refs()).toEqual([]);
  const given: (string | undefined)[] = [];
  let received = "";
  bed.source.answer = (request, response, usual) => {
    if (request.url?.endsWith("/objects/batch")) {
      const at = bed.source.url.replace("localhost", "127.0.0.1");
      const actions = { upload: { href: `${at}/object` }, verify: { href: `${at}/verify` } };
      response.writeHead(200).end(JSON.stringify({ objects: [{ oid: object.oid, actions }] }));
    } else if (request.url === "/object" || request.url === "/verify") {
      given.push(request.headers.authorization);
      if (request.url === "/object") request.on("data", (chunk: Buffer) => (received += chunk.toString()));
      request.on("end", () => response.writeHead(200).end());
      request.resume();
    } else usual();
  };
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", lfs_objects: 1 });
  expect(given).toEqual([undefined, undefined]);
  expect(received).toBe(object.bytes.toString());
});
