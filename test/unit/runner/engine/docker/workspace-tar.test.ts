/** Workspaces read and written by the machine's own `tar`: no link of a job leads out, in either direction. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import {
  encodeTarHeader,
  paddingOf,
  tarEnd,
  type WrittenEntry,
} from "@forgeline/runner/caches/tar-header.ts";
import { readTar } from "@forgeline/runner/caches/read-tar.ts";
import { createWorkspaceTar } from "@forgeline/runner/engine/docker/workspace-tar.ts";

const { signal } = new AbortController();
const made: string[] = [];
afterAll(() => made.forEach((path) => rmSync(path, { recursive: true })));

function workspace(): { above: string; inside: string; outside: string } {
  const directory = mkdtempSync(join(tmpdir(), "forgeline-tar-"));
  made.push(directory);
  const [inside, outside] = [join(directory, "mounted/workspace"), join(directory, "outside")];
  mkdirSync(join(inside, "deps"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret");
  return { above: join(directory, "mounted"), inside, outside };
}

async function readAll(archive: AsyncIterable<Buffer>): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of readTar(archive)) {
    let text = "";
    for await (const piece of entry.pieces()) text += piece.toString();
    found.push(`${entry.kind} ${entry.path}${entry.target && ` -> ${entry.target}`}=${text}`);
  }
  return found;
}

test("what is read is of the workspace, whatever links lie in it", async () => {
  const { inside, outside } = workspace();
  writeFileSync(join(inside, "deps/a"), "one");
  symlinkSync(outside, join(inside, "deps/out"));
  symlinkSync(outside, join(inside, "way"));
  const tar = createWorkspaceTar(inside);
  const read = async (path: string) => {
    const archive = await tar.read(path, signal);
    return archive && (await readAll(archive)).toSorted();
  };
  expect(await read("/workspace/deps")).toEqual([
    "directory deps/=",
    "file deps/a=one",
    `link deps/out -> ${outside}=`,
  ]);
  expect(await read("/workspace/deps/a")).toEqual(["file a=one"]);
  expect(await read("/workspace/way")).toEqual([`link way -> ${outside}=`]);
  expect((await read("/workspace"))?.[0]).toBe("directory workspace/=");
  // A link on the way: the daemon knows where it leads in the container.
  expect(await read("/workspace/way/secret")).toBeNull();
  expect(await read("/workspace/deps/out/secret")).toBeNull();
  await expect(read("/workspace/none")).rejects.toThrow("No such file");
});

function archiveOf(entries: readonly (Partial<WrittenEntry> & { path: string; bytes?: string })[]): Buffer {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return Buffer.concat([
    ...entries.flatMap(({ bytes = "", ...entry }) => {
      const sizeBytes = Buffer.byteLength(bytes);
      const whole = {
        kind: "file",
        target: "",
        mode: 0o640,
        modifiedS: 1,
        sizeBytes,
        ...entry,
      } as WrittenEntry;
      return [encodeTarHeader(whole, owner), Buffer.from(bytes), Buffer.alloc(paddingOf(sizeBytes))];
    }),
    tarEnd,
  ]);
}

test("what is written replaces links of the checkout and goes through none", async () => {
  const { inside, outside } = workspace();
  symlinkSync(outside, join(inside, "deps/sub"));
  symlinkSync(join(outside, "secret"), join(inside, "deps/file"));
  const archive = archiveOf([
    { kind: "directory", path: "workspace/deps", mode: 0o755 },
    { kind: "directory", path: "workspace/deps/sub", mode: 0o755 },
    { path: "workspace/deps/sub/secret", bytes: "new" },
    { path: "workspace/deps/file", bytes: "new" },
    { kind: "link", path: "workspace/deps/to", target: "/etc/passwd" },
    { kind: "hard_link", path: "workspace/deps/second", target: "workspace/deps/file" },
  ]);
  await createWorkspaceTar(inside).write(Readable.from([archive], { objectMode: false }), signal);
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  expect(readFileSync(join(inside, "deps/sub/secret"), "utf8")).toBe("new");
  expect(readFileSync(join(inside, "deps/file"), "utf8")).toBe("new");
  expect(readlinkSync(join(inside, "deps/to"))).toBe("/etc/passwd");
  expect(statSync(join(inside, "deps/second")).ino).toBe(statSync(join(inside, "deps/file")).ino);
  expect(statSync(join(inside, "deps/file")).mode & 0o777).toBe(0o640);
});

test("what goes wrong is told in the words of tar or of whoever gave the archive, and a stop ends it", async () => {
  const { inside } = workspace();
  const tar = createWorkspaceTar(inside);
  await expect(tar.write(Readable.from(["no archive".repeat(200)]), signal)).rejects.toThrow("tar");
  const failing = async function* () {
    yield archiveOf([{ path: "workspace/deps/a", bytes: "one" }]).subarray(0, 512);
    throw new Error("the source broke");
  };
  await expect(tar.write(Readable.from(failing(), { objectMode: false }), signal)).rejects.toThrow(
    "the source broke",
  );
  const stop = new AbortController();
  const endless = async function* () {
    for (;;) {
      yield archiveOf([{ path: "workspace/deps/a", bytes: "one" }]).subarray(0, -1024);
      setImmediate(() => stop.abort(new Error("stopped")));
    }
  };
  await expect(tar.write(Readable.from(endless(), { objectMode: false }), stop.signal)).rejects.toThrow(
    "stopped",
  );
});
