/** Where Temporal's programs come from, in order: PATH, our cache, an archive that is what was pinned, Go. */
import { createServer, type Server } from "node:http";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run } from "@forgeline/launcher/run.ts";
import { findTemporal } from "@forgeline/launcher/temporal/find.ts";
import { temporalVersion } from "@forgeline/launcher/versions.ts";
import { makeFakeGo } from "../../../support/fake-go.ts";

let directory: string;
let server: Server;
let said: string[];
const names = ["temporal-server", "temporal-sql-tool"] as const;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-find-"));
  said = [];
});
afterEach(async () => {
  server?.close();
  await rm(directory, { recursive: true, force: true });
});

async function programsIn(place: string): Promise<void> {
  await mkdir(place, { recursive: true });
  for (const name of names) {
    await writeFile(join(place, name), `#!/bin/sh\necho ${name}\n`);
    await chmod(join(place, name), 0o755);
  }
}

/** Serves an archive of both programs; returns its address and checksum. */
async function serveArchive(): Promise<{ url: string; sha256: string }> {
  await programsIn(join(directory, "source"));
  const file = join(directory, "archive.tar.gz");
  await run("tar", ["-czf", file, "-C", join(directory, "source"), ...names]);
  const bytes = await readFile(file);
  server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/t.tar.gz`,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

function find(archive: { url: string; sha256: string } | undefined, path: string) {
  return findTemporal({
    cache: join(directory, "cache"),
    env: { PATH: `${path}:/usr/bin:/bin` },
    say: (line) => said.push(line),
    archives: archive ? { [`${process.platform}-${process.arch}`]: archive } : {},
  });
}

it("takes what is on PATH", async () => {
  await programsIn(join(directory, "bin"));
  const found = await find(undefined, join(directory, "bin"));
  expect(found.server).toBe(join(directory, "bin", "temporal-server"));
});

it("unpacks the archive once, and finds it in the cache afterwards", async () => {
  const found = await find(await serveArchive(), "/nowhere");
  const cached = join(directory, "cache", `temporal-${temporalVersion}`);
  expect(found).toEqual({
    server: join(cached, "temporal-server"),
    sqlTool: join(cached, "temporal-sql-tool"),
  });
  expect(await run(found.server, [])).toBe("temporal-server\n");
  server.close();
  said = [];
  expect(await find({ url: "http://127.0.0.1:9/x", sha256: "" }, "/nowhere")).toEqual(found);
  expect(said).toEqual([]);
});

it("does not use an archive with another checksum, says so, and builds with Go", async () => {
  const { url } = await serveArchive();
  await makeFakeGo(join(directory, "go"));
  const found = await find({ url, sha256: "0".repeat(64) }, join(directory, "go"));
  expect(said.join("\n")).toContain("not the pinned one; building it with Go instead");
  expect(await readFile(found.server, "utf8")).toBe("built server\n");
});

it("builds with Go where the archive cannot be reached", async () => {
  await makeFakeGo(join(directory, "go"));
  await find({ url: "http://127.0.0.1:1/t.tar.gz", sha256: "" }, join(directory, "go"));
  expect(said.join("\n")).toContain("cannot be reached");
});
