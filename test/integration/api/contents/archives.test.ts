/** Packed trees over REST. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { bigBytes, pushAwkwardContent, startGitFixture, type GitFixture } from "./fixture.ts";

let fixture: GitFixture;
let first: string;

beforeAll(async () => {
  fixture = await startGitFixture();
  ({ first } = await pushAwkwardContent(fixture));
});
afterAll(() => fixture?.stop());

describe("archives", () => {
  it("hold the tree under one directory", async () => {
    const tar = await fixture.download("/tarball/feature/x");
    expect(tar.headers["content-type"]).toBe("application/gzip");
    expect(tar.headers["content-disposition"]).toBe('attachment; filename="code-feature-x.tar.gz"');
    const file = join(fixture.client.home, "x.tar.gz");
    await writeFile(file, tar.body);
    const { stdout } = await promisify(execFile)("tar", ["tzf", file]);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining(["code-feature-x/", "code-feature-x/src/run.sh"]),
    );
    const text = await promisify(execFile)("tar", ["xzOf", file, "code-feature-x/big.txt"], {
      maxBuffer: bigBytes * 2,
    });
    expect(text.stdout.length).toBe(bigBytes);
    const zip = await fixture.download(`/zipball/${first}`);
    expect(zip.headers["content-disposition"]).toBe(`attachment; filename="code-${first}.zip"`);
    expect(zip.body.subarray(0, 2).toString()).toBe("PK");
  });

  it("are not packed again for who has them", async () => {
    const { headers } = await fixture.download("/tarball/v1.0");
    const again = await fixture.get("/tarball/v1.0", { "if-none-match": String(headers["etag"]) });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("are made as fast as they are read, by a reader at a time no more than there are places", async () => {
    const { server, ada, tree, git, client } = fixture;
    Object.assign(server.config.gitExchanges, { ofUser: 8, waitMs: 300 });
    await writeFile(join(tree, "noise.bin"), randomBytes(24 * 1024 * 1024));
    await client.commit(tree, {}, "Noise");
    await git("push", "-q", "origin", "main");
    const open = () =>
      new Promise<{ status: number; leave(): void }>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${ada.token}` };
        const options = { ca: server.ca, headers, agent: false };
        const req = request(`${server.baseUrl}/repos/ada/code/tarball/main`, options);
        req.on("response", (res) => resolve({ status: res.statusCode ?? 0, leave: () => res.destroy() }));
        req.on("error", reject);
        req.end();
      });
    const readers = await Promise.all(Array.from({ length: 8 }, open));
    expect(readers.map((reader) => reader.status)).toEqual(Array.from({ length: 8 }, () => 200));
    const ninth = await open();
    expect(ninth.status).toBe(503);
    for (const reader of [...readers, ninth]) reader.leave();
    await eventually(async () => {
      const again = await open();
      again.leave();
      return again.status === 200;
    });
  });
});
