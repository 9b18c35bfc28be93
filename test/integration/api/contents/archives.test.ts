/** Packed trees over REST. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
