/** Of a push each ref is judged, however many there are, and a list that is too long to be read refuses all of it. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../integration/git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let tree: string;
let url: string;
let head: string;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  await server.api("POST", "/repos", { token: ada.token, body: { name: "app" } });
  url = addressWithToken(server.webUrl, "ada/app", ada.token);
  tree = await git.workTree();
  await git.ok(["push", "-q", url, "main"], { cwd: tree });
  head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const refs = () => git.ok(["ls-remote", url]);

test.each([
  ["one after the other", []],
  ["all or nothing", ["--atomic"]],
])("of 1,000 refs that Git pushes the forbidden last one is seen: %s", async (_what, options) => {
  const before = await refs();
  const many = Array.from({ length: 999 }, (_, n) => `main:refs/heads/many/b${n}`);
  const push = ["push", ...options, url, ...many, "main:refs/heads/-last"];
  const answer = await git.run(push, { cwd: tree });
  expect(answer.code).not.toBe(0);
  expect(answer.stderr).toContain("must not start with '-'");
  expect(await refs()).toBe(before);
});

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;

/** What Git would send: new refs on a commit that is there, and a pack of nothing. */
function pushOf(names: readonly string[], capabilities = "report-status"): Buffer {
  const none = Buffer.from("PACK\0\0\0\u0002\0\0\0\0", "latin1");
  const lines = names.map((name, n) =>
    packet(`${"0".repeat(40)} ${head} ${name}${n === 0 ? `\0 ${capabilities}` : ""}\n`),
  );
  const checksum = createHash("sha1").update(none).digest();
  return Buffer.concat([Buffer.from(`${lines.join("")}0000`, "latin1"), none, checksum]);
}

const send = (body: Buffer) =>
  server.api("POST", "//ada/app.git/git-receive-pack", {
    token: ada.token,
    headers: { "Content-Type": "application/x-git-receive-pack-request" },
    body,
  });

// By hand: at 5,000 refs Git itself takes ten seconds to say what became of them.
test.each(["report-status side-band-64k", "report-status side-band-64k atomic"])(
  "of 5,000 refs the forbidden last one is seen: %s",
  async (capabilities) => {
    const before = await refs();
    const many = Array.from({ length: 4_999 }, (_, n) => `refs/heads/many/b${n}`);
    const answer = await send(pushOf([...many, "refs/heads/-last"], capabilities));
    expect(answer.text).toContain("refs/heads/-last: names must not start with '-'");
    expect(await refs()).toBe(before);
  },
);

test("ten megabytes of refs are refused as a whole, and the server goes on", async () => {
  const before = await refs();
  const names = Array.from({ length: 62_000 }, (_, n) => `refs/heads/${"x".repeat(70)}/${n}`);
  const body = pushOf(names);
  expect(body.length).toBeGreaterThan(10_000_000);
  const answer = await send(body);
  expect(answer.text).toContain(`ng ${names[0]}`);
  expect(answer.text).not.toContain("ok refs/");
  expect(await refs()).toBe(before);
  // The same by hand, and few: taken.
  expect((await send(pushOf(["refs/heads/few"]))).text).toContain("ok refs/heads/few");
  expect(await refs()).toContain("refs/heads/few");
});

test("a list that breaks off moves nothing", async () => {
  const before = await refs();
  const whole = pushOf(Array.from({ length: 50 }, (_, n) => `refs/heads/cut/${n}`));
  for (const end of [3, 100, 1_000, whole.indexOf("PACK"), whole.indexOf("PACK") + 6, whole.length - 1]) {
    await send(whole.subarray(0, end));
    expect([end, await refs()]).toEqual([end, before]);
  }
});
