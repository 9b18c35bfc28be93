/** Row 78: who has not said what they want from Git holds no place, and has a bound in memory that keeps nobody else from sending. */
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { delimiter, flush, packet, zeroId } from "../support/git-packets.ts";
import { createRawGit, fetchOf, type RawGit } from "../support/raw-git.ts";
import { createSshClient, type SshClient } from "../support/ssh-client.ts";

const mib = 1024 * 1024;
let server: ApiServer;
let ssh: SshClient;
let ada: TestPerson;
let raw: RawGit;
let head: string;

beforeAll(async () => {
  const env = { FORGELINE_SSH_PORT: "0", FORGELINE_GIT_EXCHANGES: "4", FORGELINE_LIMIT_GIT: "100000" };
  server = await startApiServer({ env });
  ssh = await createSshClient(server);
  ada = await server.person("ada");
  const body = { name: "code", visibility: "public", readme: true };
  await server.api("POST", "/repos", { token: ada.token, body });
  const [commit] = (await server.api("GET", "/repos/ada/code/commits")).json;
  head = commit.sha;
  raw = createRawGit(server, { fullName: "ada/code", ssh, key: await ssh.keyOf(ada) });
});
afterEach(async () => {
  raw.endAll();
  await eventually(async () => (await running()) === 0);
});
afterAll(async () => {
  await ssh?.remove();
  await server?.stop();
});

const running = () => raw.metric('forgeline_git_exchanges{state="running"}');
const requestBytes = (whom: "accounts" | "strangers") => raw.metric(`forgeline_git_request_bytes_of_${whom}`);
const ofAda = () => ({ Authorization: `Bearer ${ada.token}` });

/** As much as a request may be, in a few KiB. */
function largeRequest(): Buffer {
  const asked = Buffer.concat([packet("command=fetch\n"), delimiter]);
  const have = packet(`have ${zeroId}\n`);
  const count = Math.floor((16 * mib - asked.length) / have.length);
  return gzipSync(Buffer.concat([asked, Buffer.alloc(count * have.length, have)]));
}

describe("who has not said what they want", () => {
  it("holds no place over HTTPS, and has as much memory as all of their requests may", async () => {
    const packed = largeRequest();
    const calls = Array.from({ length: 5 }, () => raw.rpc("upload-pack", { "Content-Encoding": "gzip" }));
    const refusals: number[] = [];
    for (const call of calls) {
      call.on("response", (response) => refusals.push(response.statusCode ?? 0));
      call.write(packed.subarray(0, -64));
    }
    await eventually(async () => (await requestBytes("strangers")) > 16 * mib && refusals.length > 0);
    expect(refusals.every((status) => status === 429)).toBe(true);
    expect(await requestBytes("strangers")).toBeLessThanOrEqual(32 * mib);
    expect(await running()).toBe(0);
    for (const call of calls) call.destroy();
    await eventually(async () => (await requestBytes("strangers")) === 0);
  });

  it("leaves memory to who has an account, and to what is no fetch", async () => {
    const packed = largeRequest();
    for (let address = 11; address < 14; address += 1)
      for (let n = 0; n < 2; n += 1)
        raw
          .rpc("upload-pack", { "Content-Encoding": "gzip" }, `127.0.0.${address}`)
          .write(packed.subarray(0, -64));
    await eventually(async () => (await requestBytes("strangers")) > 32 * mib);
    const call = raw.rpc("upload-pack", { "Content-Encoding": "gzip", ...ofAda() });
    call.write(packed.subarray(0, -64));
    await eventually(async () => (await requestBytes("accounts")) === 16 * mib);
    expect(await requestBytes("strangers")).toBeLessThanOrEqual(64 * mib);
    expect(await raw.metric("forgeline_http_body_bytes")).toBe(0);
  });

  it("holds no place over SSH, on however many connections and commands", async () => {
    for (let n = 0; n < 2; n += 1) {
      const connection = await raw.connection();
      for (let command = 0; command < 4; command += 1)
        await raw.silent(connection, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    }
    expect(await running()).toBe(0);
    expect((await raw.lists(ada)).stdout).toContain(head);
  });

  it("has memory for requests over SSH as over HTTPS", async () => {
    const connection = await raw.connection();
    const channel = await raw.silent(connection, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    const begun = packet("x".repeat(60_000));
    for (let n = 0; n < 20; n += 1) channel.write(begun);
    await eventually(async () => (await requestBytes("accounts")) >= 1_200_000);
    connection.destroy();
    await eventually(async () => (await requestBytes("accounts")) === 0);
  });

  it("has no memory for what comes when all is over, and gives back what it had", async () => {
    const connection = await raw.connection();
    const channel = await raw.silent(connection, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    channel.on("error", () => undefined);
    channel.resume();
    const hasEnded = once(channel, "exit");
    channel.write(fetchOf("1".repeat(40)));
    for (let n = 0; n < 30; n += 1) channel.write(packet("x".repeat(60_000)));
    await hasEnded;
    // Read by the server behind all that was sent before it.
    expect((await raw.lists(ada)).stdout).toContain(head);
    await raw.silent(connection, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    expect(await requestBytes("accounts")).toBe(0);
  });

  it("asks so often at most that its one operation pays for it, and ends by an empty request", async () => {
    const connection = await raw.connection();
    const ask = async (request: Buffer, times: number) => {
      const channel = await raw.silent(connection, "git-upload-pack 'ada/code'", {
        GIT_PROTOCOL: "version=2",
      });
      let heard = "";
      channel.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
      const ended = once(channel, "exit");
      channel.write(Buffer.concat(Array.from({ length: times }, () => request)));
      const [exitCode] = await ended;
      return { exitCode, heard };
    };
    const listed = Buffer.concat([
      packet("command=ls-refs\n"),
      delimiter,
      packet("ref-prefix refs/heads/\n"),
      flush,
    ]);
    const often = await ask(listed, 251);
    expect([often.exitCode, often.heard.split("refs/heads/main").length]).toEqual([128, 251]);
    expect(often.heard).toContain("Too many requests in one command");
    expect(await ask(flush, 100)).toMatchObject({ exitCode: 0, heard: "" });
  });
});
