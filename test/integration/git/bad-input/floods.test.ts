/** More than anybody means to send, and what is no request of Git's: refused with the right status, in bounded memory. */
import { randomBytes } from "node:crypto";
import { request } from "node:https";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  delimiter,
  fetchOf,
  flush,
  packet,
  packOf,
  pushOf,
  sendGit,
  zeroId,
} from "../../../support/git-packets.ts";
import { telling } from "../../../support/size.ts";
import { createSshClient, type SshClient } from "../../../support/ssh-client.ts";
import { pushedRepository, type PushedRepository } from "./pushed-repository.ts";

const MiB = 1024 * 1024;
let server: ApiServer;
let client: SshClient;
let ada: TestPerson;
let repository: PushedRepository;

beforeAll(async () => {
  const env = { FORGELINE_SSH_PORT: "0", FORGELINE_MAX_PUSH_BYTES: String(MiB) };
  server = await startApiServer({ env });
  client = await createSshClient(server);
  ada = await server.person("ada");
  repository = await pushedRepository({ server, git: client.git, ada });
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const fetchRaw = (body: Buffer, version = 2, headers: Record<string, string> = {}) =>
  sendGit(server, {
    name: repository.name,
    service: "upload-pack",
    body,
    version,
    token: ada.token,
    headers,
  });

/** Packets of this line until there are so many bytes. */
function many(line: string, bytes: number): Buffer {
  const one = packet(`${line}\n`);
  return Buffer.concat(Array<Buffer>(Math.ceil(bytes / one.length)).fill(one));
}
const begin = [packet("command=fetch"), delimiter];

describe("a fetch", () => {
  const tooMany = telling<[version: number, what: string, lines: () => Buffer]>(
    [
      [0, "wants", () => many(`want ${repository.head}`, 17 * MiB)],
      [2, "flushes", () => Buffer.alloc(17 * MiB, "0000")],
    ],
    [
      [2, "wants", () => many(`want ${repository.head}`, 17 * MiB)],
      [2, "haves", () => many(`have ${repository.head}`, 17 * MiB)],
      [2, "shallow commits", () => many(`shallow ${repository.head}`, 17 * MiB)],
    ],
  );
  it.each(tooMany)("in version %i with too many %s is refused", async (version, _what, lines) => {
    const body = Buffer.concat([...(version === 2 ? begin : []), lines(), flush]);
    expect((await fetchRaw(body, version)).status).toBe(413);
  });

  it.each(telling(["have"], ["shallow"]))("with as many %s lines as may be is answered", async (word) => {
    const lines = Array.from({ length: 20_000 }, (_, n) =>
      packet(`${word} ${n.toString(16).padStart(40, "a")}\n`),
    );
    const want = packet(`want ${repository.head}\n`);
    const body = Buffer.concat([...begin, want, ...lines, packet("done\n"), flush]);
    const { status, text } = await fetchRaw(body);
    expect([status, text.includes("PACK")]).toEqual([200, true]);
  });

  it("with very many wants for what is not there is told so", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `want ${n.toString(16).padStart(40, "b")}`);
    const { status, text } = await fetchRaw(fetchOf(2, lines));
    expect([status, text.slice(4)]).toEqual([200, "ERR upload-pack: not our ref\n"]);
  });

  it("with a body that unpacks to more than may be is refused", async () => {
    const body = gzipSync(Buffer.concat([...begin, Buffer.alloc(20 * MiB, "0000")]));
    expect(body.length).toBeLessThan(MiB);
    expect((await fetchRaw(body, 2, { "Content-Encoding": "gzip" })).status).toBe(413);
  });

  it.each([
    ["is no gzip", () => Buffer.from("not packed at all")],
    ["breaks off", () => gzipSync(fetchOf(2, [`want ${repository.head}`])).subarray(0, 40)],
    ["has a wrong checksum", () => Buffer.concat([gzipSync(flush).subarray(0, -8), Buffer.alloc(8, 1)])],
  ])("with a body that %s is refused in words", async (_what, body) => {
    const { status, text } = await fetchRaw(body(), 2, { "Content-Encoding": "gzip" });
    expect([status, text]).toEqual([400, "The body is not valid gzip.\n"]);
  });

  it.each([
    ["no packet", "zzzz"],
    ["a length that cannot be", "0003"],
    ["a packet longer than packets are", "ffff"],
    ["an unknown command", packet("command=rm -rf").toString()],
    ["a sign in a length", "+032want "],
    [
      "a word that is none",
      `${packet("command=fetch").toString()}0001${packet("want nothing").toString()}0000`,
    ],
  ])("of %s is refused in words", async (_what, text) => {
    const answer = await fetchRaw(Buffer.from(text), 2);
    expect([answer.status, answer.text]).toEqual([400, "Git cannot read this request.\n"]);
  });

  it("with a wrong content type or packing is refused", async () => {
    const body = fetchOf(2, [`want ${repository.head}`]);
    expect((await fetchRaw(body, 2, { "Content-Encoding": "br" })).status).toBe(415);
    expect((await fetchRaw(body, 2, { "Content-Type": "text/plain" })).status).toBe(415);
  });
});

/** Sends this again and again until there is an answer; its status, and how much was sent. */
function sendEndlessly(first: Buffer, then: Buffer, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; sent: number }>((resolve, reject) => {
    let sent = 0;
    const req = request(`${server.webUrl}/${repository.name}.git/git-receive-pack`, {
      method: "POST",
      ca: server.ca,
      headers: {
        Authorization: `Bearer ${ada.token}`,
        "Content-Type": "application/x-git-receive-pack-request",
        ...headers,
      },
    });
    let over = false;
    req.on("response", (res) => {
      over = true;
      res.resume();
      res.on("error", () => undefined);
      resolve({ status: res.statusCode ?? 0, sent });
      req.destroy();
    });
    req.on("error", (error) => !over && reject(error));
    const next = (chunk: Buffer) => {
      if (over) return;
      sent += chunk.length;
      req.write(chunk, () => next(then));
    };
    next(first);
  });
}

describe("a push", () => {
  const line = (n: number) => packet(`${zeroId} ${repository.head} refs/heads/flood-${n}\n`);
  const chunk = () => Buffer.concat(Array.from({ length: 2_000 }, (_, n) => line(n)));

  it("whose list of refs does not end is refused before much of it is read", async () => {
    const { status, sent } = await sendEndlessly(pushOf([], Buffer.alloc(0)).subarray(4), chunk());
    expect(status).toBe(413);
    expect(sent).toBeLessThan(64 * MiB);
    await repository.isUntouched();
  });

  it("whose options do not end is refused", async () => {
    const list = pushOf([{ ref: "refs/heads/x", after: repository.head }], Buffer.alloc(0), "push-options");
    const { status } = await sendEndlessly(list, many("x".repeat(1_000), MiB));
    expect(status).toBe(413);
    await repository.isUntouched();
  });

  it("that unpacks to an endless list is refused", async () => {
    const body = gzipSync(Buffer.concat(Array<Buffer>(100).fill(chunk())));
    expect(body.length).toBeLessThan(MiB);
    expect((await repository.push(body, { "Content-Encoding": "gzip" })).status).toBe(413);
    await repository.isUntouched();
  });

  it("whose pack does not end, or unpacks to an endless one, is refused by its size", async () => {
    const list = pushOf(
      [{ ref: "refs/heads/x", after: repository.head }],
      packOf([], 2 ** 31).subarray(0, 12),
    );
    const noise = Buffer.alloc(64 * 1024, Buffer.from([0xb0, 0x80, 0x80]));
    const packed = gzipSync(Buffer.concat([list, ...Array<Buffer>(64).fill(noise)]));
    const { text } = await repository.push(packed, { "Content-Encoding": "gzip" });
    expect(text).toMatch(/unpack (?!ok)/);
    await repository.isUntouched();
  });

  it("that is larger than may be hears why, however much it goes on to send", async () => {
    const blob = { type: "blob", body: randomBytes(2 * MiB) } as const;
    const body = pushOf([{ ref: "refs/heads/x", after: repository.head }], packOf([blob]), "side-band-64k");
    const { status, text } = await repository.push(Buffer.concat([body, Buffer.alloc(6 * MiB, 7)]));
    expect([status, text.includes("pack exceeds maximum allowed size")]).toEqual([200, true]);
    await repository.isUntouched();
  });

  it("with a broken packing is refused in words", async () => {
    const whole = gzipSync(pushOf([{ ref: "refs/heads/x", after: repository.head }], packOf([])));
    const { status, text } = await repository.push(whole.subarray(0, 30), { "Content-Encoding": "gzip" });
    expect([status, text]).toEqual([400, "The body is not valid gzip.\n"]);
    await repository.isUntouched();
  });

  it("that is no push is refused in words", async () => {
    for (const text of ["zzzz", "0003", "ffff", "0010no update\n0000", "0032want "])
      expect([text, (await repository.push(Buffer.from(text))).status]).toEqual([text, 400]);
    await repository.isUntouched();
  });

  it("may consist of flushes alone, and then does nothing", async () => {
    for (const times of [1, 100_000]) {
      const { status, text } = await repository.push(Buffer.alloc(4 * times, "0000"));
      expect([status < 500, text]).toEqual([true, ""]);
    }
    await repository.isUntouched();
  });

  it("over SSH whose list does not end is refused, and the next one works", async () => {
    const key = await client.keyOf(ada);
    const input = Buffer.concat(Array<Buffer>(120).fill(chunk()));
    expect(input.length).toBeGreaterThan(17 * MiB);
    const words = ["git@localhost", `git-receive-pack '${repository.name}'`];
    const { code, stdout } = await client.ssh(key, words, {}, input);
    expect([code === 0, stdout.includes("flood-1")]).toEqual([false, false]);
    const address = client.address(repository.name);
    await client.git.ok(["push", "-q", address, "HEAD:refs/heads/over-ssh"], {
      cwd: repository.tree,
      env: client.env(key),
    });
    await client.git.ok(["push", "-q", address, ":refs/heads/over-ssh"], {
      cwd: repository.tree,
      env: client.env(key),
    });
  });
});
