/** Rows 24 and 27 of security.md: packs that say they are huge, or make themselves so, and repositories that are not as we made them. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { chown, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { needsRoot } from "../support/programs/needs.ts";
import { addressWithToken, createGitClient, type GitClient } from "../integration/git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let tree: string;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  tree = await git.workTree();
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

async function repository(name: string) {
  const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const url = addressWithToken(server.webUrl, `ada/${name}`, ada.token);
  await git.ok(["push", "-q", url, "main"], { cwd: tree });
  return { name, url, directory: server.container.platform.storage.directory(json.id) };
}

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const kinds = { commit: 1, tree: 2, blob: 3, delta: 6 };

/** As a pack says what an object is and how large. */
function objectHead(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

function sizeInDelta(size: number): number[] {
  const bytes = [size % 128];
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

function pack(...objects: Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const body = Buffer.concat([head, ...objects]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Two gigabytes made of two thousand copies of one megabyte. */
function deltaBomb(): Buffer {
  const base = Buffer.alloc(1024 * 1024, "x");
  const whole = Buffer.concat([objectHead(kinds.blob, base.length), deflateSync(base)]);
  // Copy 0x100000 bytes from the beginning: of the size only its third byte is given.
  const delta = Buffer.from([
    ...sizeInDelta(base.length),
    ...sizeInDelta(2048 * base.length),
    ...Array.from({ length: 2048 }, () => [0xc0, 0x10]).flat(),
  ]);
  const distance = [];
  for (let rest = whole.length; ; rest = (rest >> 7) - 1) {
    distance.unshift((rest % 128) | (distance.length > 0 ? 0x80 : 0));
    if (rest < 128) break;
  }
  const made = [objectHead(kinds.delta, delta.length), Buffer.from(distance), deflateSync(delta)];
  return pack(whole, Buffer.concat(made));
}

const claim = (kind: number) =>
  pack(Buffer.concat([objectHead(kind, 4 * 1024 ** 3 - 1), deflateSync(Buffer.from("small"))]));

describe("a push", () => {
  it.each([
    ["a file that claims 4 GiB", claim(kinds.blob)],
    ["a directory that claims 4 GiB", claim(kinds.tree)],
    ["a commit that claims 4 GiB", claim(kinds.commit)],
    ["a delta that makes 2 GiB of 1 MiB", deltaBomb()],
  ])("of %s is refused, and leaves nothing", { timeout: 60_000 }, async (what, bytes) => {
    const { name, url, directory } = await repository(what.replaceAll(" ", "-"));
    const command = packet(`${"0".repeat(40)} ${"a".repeat(40)} refs/heads/bomb\0 report-status`);
    const answer = await server.api("POST", `//ada/${name}.git/git-receive-pack`, {
      token: ada.token,
      headers: { "Content-Type": "application/x-git-receive-pack-request" },
      body: Buffer.concat([Buffer.from(`${command}0000`), bytes]),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/unpack (?!ok)/)]);
    const left = await readdir(join(directory, "objects"), { recursive: true });
    expect(left.filter((each) => each.includes("tmp_"))).toEqual([]);
    expect(await git.ok(["ls-remote", url])).not.toContain("bomb");
    await git.ok(["push", "-q", url, "main:next"], { cwd: tree });
  });
});

describe("a hundred thousand refs", () => {
  const count = 100_000;
  let crowded: Awaited<ReturnType<typeof repository>>;
  beforeAll(async () => {
    crowded = await repository("crowded");
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    const names = Array.from({ length: count }, (_, n) => `refs/tags/t${String(n).padStart(6, "0")}`);
    const packed = [
      "# pack-refs with: peeled fully-peeled sorted ",
      ...names.map((name) => `${head} ${name}`),
    ];
    await writeFile(join(crowded.directory, "packed-refs"), `${packed.join("\n")}\n`);
  });

  it("are listed, fetched and pushed to", { timeout: 60_000 }, async () => {
    for (const version of ["0", "2"]) {
      const listed = await git.ok([
        "-c",
        `protocol.version=${version}`,
        "ls-remote",
        crowded.url,
        "refs/tags/*",
      ]);
      expect(listed.split("\n")).toHaveLength(count);
    }
    await git.ok(["clone", "-q", "--no-tags", crowded.url, join(git.home, "crowded")]);
    await git.ok(["push", "-q", crowded.url, "main:beside"], { cwd: tree });
    expect(await git.ok(["ls-remote", crowded.url, "beside"])).toContain("refs/heads/beside");
  });

  it("cost no memory where clients ask for all of them and read nothing", async () => {
    const asking = () => {
      const url = `${server.webUrl}/ada/crowded.git/info/refs?service=git-upload-pack`;
      const headers = { Authorization: `Bearer ${ada.token}` };
      return new Promise<IncomingMessage>((resolve, reject) => {
        request(url, { ca: server.ca, headers, agent: false }, resolve).on("error", reject).end();
      });
    };
    const before = process.memoryUsage().external;
    const answers = await Promise.all(Array.from({ length: 10 }, asking));
    try {
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
      // Each list has over six megabytes.
      expect(process.memoryUsage().external - before).toBeLessThan(30_000_000);
    } finally {
      for (const answer of answers) answer.destroy();
    }
  });
});

describe("a repository is not opened", () => {
  const listed = async ({ url }: { url: string }) => {
    const { code, stderr } = await git.run(["-c", "protocol.version=0", "ls-remote", url]);
    return code === 0 ? "listed" : /returned error: (\d{3})/.exec(stderr)?.[1];
  };

  it.each(["objects/info/alternates", "commondir"])("with a planted %s", async (path) => {
    const planted = await repository(`planted-${path.replaceAll("/", "-")}`);
    const other = await repository(`lender-${path.replaceAll("/", "-")}`);
    expect(await listed(planted)).toBe("listed");
    await writeFile(join(planted.directory, path), `${other.directory}/objects\n`);
    expect(await listed(planted)).toBe("503");
    await rm(join(planted.directory, path));
    expect(await listed(planted)).toBe("listed");
  });

  it.each(["objects", "refs", "objects/pack"])("with a link in place of %s", async (part) => {
    const linked = await repository(`linked-${part.replaceAll("/", "-")}`);
    const elsewhere = join(git.home, `elsewhere-${part.replaceAll("/", "-")}`);
    await rename(join(linked.directory, part), elsewhere);
    await symlink(elsewhere, join(linked.directory, part));
    expect(await listed(linked)).toBe("503");
    const refused = await git.run(["push", linked.url, "main:other"], { cwd: tree });
    expect(refused.stderr).toContain("503");
  });

  it("of another owner", async () => {
    needsRoot("give a directory to somebody else");
    const foreign = await repository("foreign");
    await chown(join(foreign.directory, "objects"), 12_345, 12_345);
    expect(await listed(foreign)).toBe("503");
  });
});
