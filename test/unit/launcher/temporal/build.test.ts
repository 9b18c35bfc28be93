/** The build of Temporal: which sources Go is given, how it is called, and what is refused. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildFlags, buildTemporal } from "@forgeline/launcher/temporal/build.ts";
import { makeFakeGo, type FakeGo } from "../../../support/fake-go.ts";

let directory: string;
let target: string;
let said: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-build-"));
  target = join(directory, "target");
  await mkdir(target);
  said = [];
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

function build(go: FakeGo): Promise<void> {
  const env = { PATH: "/usr/bin:/bin", GOFLAGS: "-mod=vendor" };
  return buildTemporal({ go: go.program, directory: target, env, say: (line) => said.push(line) });
}

/** Read-only with its folders, as Go leaves modules. */
async function putReadOnly(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), "theirs\n", { mode: 0o444 });
  }
  for (const file of files) await chmod(join(root, dirname(file)), 0o555);
}

it("puts both programs in place, and leaves nothing else", async () => {
  await build(await makeFakeGo(join(directory, "go")));
  expect((await readdir(target)).toSorted()).toEqual(["temporal-server", "temporal-sql-tool"]);
  expect(await readFile(join(target, "temporal-sql-tool"), "utf8")).toBe("built sql\n");
});

it("calls Go for both at once, with flags of its own instead of the machine's", async () => {
  const go = await makeFakeGo(join(directory, "go"));
  await build(go);
  const calls = await go.calls();
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["mod", "list", "build"]);
  expect(calls.at(-1)).toBe(
    `build ${buildFlags.join(" ")} -o ${target}/ go.temporal.io/server/cmd/server ` +
      "go.temporal.io/server/cmd/tools/sql CGO_ENABLED=0 GOFLAGS=-mod=readonly",
  );
});

it("gives Go the modules without what is left out, and ours instead", async () => {
  const go = await makeFakeGo(join(directory, "go"));
  await putReadOnly(go.unpacked("server"), [
    "go.mod",
    "service/history/service.go",
    "service/history/service_test.go",
    "common/archiver/gcloud/connector/client.go",
    "common/persistence/nosql/store.go",
  ]);
  await putReadOnly(go.unpacked("auto-scaled-workers"), ["wci/workflow/compute_provider/k8s.go"]);
  await build(go);
  const files = (await readFile(join(directory, "go", "files"), "utf8")).split("\n");
  expect(files).toContain("./server/service/history/service.go");
  expect(files).toContain("./server/common/archiver/gcloud/left_out.go");
  expect(files).toContain("./go.sum");
  expect(files.filter((file) => /_test|connector|nosql|k8s/.test(file))).toEqual([]);
});

it("says how far it has come", async () => {
  await build(await makeFakeGo(join(directory, "go")));
  expect(said[0]).toMatch(
    /^Temporal [\d.]+: building it with .*\/go \(once, about two minutes on two cores\)$/,
  );
  expect(said.at(-1)).toMatch(/: built 1 of 2 packages, \d+ s$/);
});

it("refuses a module with another checksum than the pinned one", async () => {
  const go = await makeFakeGo(join(directory, "go"), "h1:other");
  await expect(build(go)).rejects.toThrow("has the checksum h1:other, not the pinned h1:");
  expect(await readdir(target)).toEqual([]);
});
