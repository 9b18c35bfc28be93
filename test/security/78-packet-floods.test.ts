/**
 * Row 78: a small request that unpacks to millions of packets is refused or costs its sender time, and nobody else's turn. Held against
 * what it costs to read such a request at once, by the same thread in the same run.
 */
import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { delimiter, flush, packet, sendGit } from "../support/git-packets.ts";
import { createSshClient, type SshClient } from "../support/ssh-client.ts";
import { cpuMsOf, watchTurns } from "../support/turns.ts";

let server: ApiServer;
let client: SshClient;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  client = await createSshClient(server);
  ada = await server.person("ada");
  const body = { name: "code", visibility: "public", readme: true };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  const directory = ["--git-dir", server.container.platform.storage.directory(json.id)];
  const head = execFileSync("git", [...directory, "rev-parse", "refs/heads/main"])
    .toString()
    .trim();
  const branches = Array.from({ length: 400 }, (_, n) => `create refs/heads/topic-${n} ${head}\n`);
  execFileSync("git", [...directory, "update-ref", "--stdin"], { input: branches.join("") });
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const maxBytes = 16 * 1024 * 1024;
const have = `have ${"0".repeat(40)}\n`;

/** As often as it fits into the largest request that is read. */
function repeated(asked: string, text: string): Buffer {
  const [head, one] = [packet(`command=${asked}\n`), packet(text)];
  const count = Math.floor((maxBytes - head.length - 8) / one.length);
  return Buffer.concat([head, delimiter, Buffer.alloc(count * one.length, one), flush]);
}

const makers = {
  "prefixes of refs": () => repeated("ls-refs", "ref-prefix a"),
  "packets of one byte": () => repeated("fetch", "x"),
  "words of what is had": () => repeated("fetch", have),
};

type Flood = keyof typeof makers;
const made = new Map<Flood, Buffer>();
function bodyOf(what: Flood): Buffer {
  const body = made.get(what) ?? makers[what]();
  made.set(what, body);
  return body;
}

/** What a server would spend that reads a request to its end before anybody else has a turn. */
function readAtOnce(body: Buffer): number {
  let bytes = 0;
  return cpuMsOf(() => {
    for (let at = 0; at < body.length;) {
      const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
      bytes +=
        /^(?:want|have) ([0-9a-f]{40})/.exec(body.toString("latin1", at + 4, at + length))?.length ?? 1;
      at += Math.max(4, length);
    }
  });
}

const ask = (zipped: Buffer, headers: Record<string, string> = {}) =>
  sendGit(server, {
    name: "ada/code",
    service: "upload-pack",
    version: 2,
    body: zipped,
    headers: { "Content-Encoding": "gzip", ...headers },
  });
const asGit = { "User-Agent": "git/2.39.5", Accept: "application/x-git-upload-pack-result" };

describe("16 MiB in a few dozen KiB, from nobody", () => {
  it.each([
    ["prefixes of refs", 413],
    ["packets of one byte", 413],
    ["words of what is had", 200],
  ] as const)("%s leave others their turns", async (what, status) => {
    const body = bodyOf(what);
    const zipped = gzipSync(body);
    await ask(zipped);
    const { result, maxCpuMs } = await watchTurns(() => ask(zipped));
    expect(result.status).toBe(status);
    expect(maxCpuMs).toBeLessThan(readAtOnce(body) / 2);
  });

  it("are refused in Git's own words to Git", async () => {
    const { status, text } = await ask(gzipSync(bodyOf("packets of one byte")), asGit);
    expect([status, text]).toEqual([200, String(packet("ERR The request has too many packets.\n"))]);
    const other = await ask(gzipSync(bodyOf("prefixes of refs")), asGit);
    expect([other.status, other.text]).toEqual([
      200,
      String(packet("ERR The request lists too many refs.\n")),
    ]);
  });
});

it("as many prefixes as count are answered, and leave others their turns", async () => {
  const prefixes = Array.from({ length: 65_000 }, (_, n) =>
    packet(`ref-prefix refs/heads/topic-${n + 390}\n`),
  );
  const body = Buffer.concat([packet("command=ls-refs\n"), delimiter, ...prefixes, flush]);
  const zipped = gzipSync(body);
  const { result, maxCpuMs } = await watchTurns(() => ask(zipped));
  const names = [...result.text.matchAll(/refs\/heads\/topic-(\d+)\n/g)].map(([, n]) => Number(n));
  expect(names).toEqual([390, 391, 392, 393, 394, 395, 396, 397, 398, 399]);
  expect(maxCpuMs).toBeLessThan(readAtOnce(bodyOf("prefixes of refs")) / 2);
});

it.each([
  ["prefixes of refs", "too many packets"],
  ["packets of one byte", "too many packets"],
] as const)("over SSH, too: %s", async (what, words) => {
  const key = await client.keyOf(ada);
  const command = ["-o", "SetEnv=GIT_PROTOCOL=version=2", "git@localhost", "git-upload-pack 'ada/code'"];
  const answer = await client.ssh(key, command, {}, bodyOf(what));
  expect(answer.code).toBe(128);
  expect(answer.stdout.split("0000").at(-1)).toContain(`ERR The request has ${words}.`);
});
