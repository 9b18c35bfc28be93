/** Files of a workspace to an artifact and back, and what programs of others make of it. */
import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ArtifactError } from "@forgeline/runner/artifacts/artifact-error.ts";
import { extractZip } from "@forgeline/runner/artifacts/extract-zip.ts";
import { pathPatterns } from "@forgeline/runner/artifacts/patterns.ts";
import { findFiles, openFound, staysInside } from "@forgeline/runner/artifacts/workspace-files.ts";
import { writeZip, zipSize } from "@forgeline/runner/artifacts/write-zip.ts";
import {
  encodeEnd,
  encodeHeader,
  encodeIndexEntry,
  fileMode,
  linkMode,
} from "@forgeline/schemas/artifacts/zip.ts";
import { zipOf } from "../../../support/job-artifacts.ts";

let root: string;
let source: string;
let target: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-zip-"));
  source = join(root, "source");
  target = join(root, "target");
  await mkdir(source);
  await mkdir(target);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await writeFile(join(source, path), content);
}

const limits = { files: 100, entries: 1000, advice: "Name fewer." };
const find = (paths: string[], most = limits) => findFiles(source, pathPatterns(paths, []), most);

async function zipped(paths: string[]): Promise<Buffer> {
  const { files } = await find(paths);
  const pieces: Buffer[] = [];
  for await (const piece of writeZip(source, files)) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(zipSize(files).sizeBytes);
  return bytes;
}

/** In pieces that end anywhere. */
async function* inPieces(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Leaves the workspace as empty as it was. */
async function extractAlone(bytes: Buffer): Promise<void> {
  try {
    await extract(bytes);
  } finally {
    await rm(target, { recursive: true });
    await mkdir(target);
  }
}

const extract = (bytes: Buffer, size?: number) =>
  extractZip(inPieces(bytes, size), { workspace: target, sizeBytes: bytes.length });

describe("an artifact", () => {
  test("gives back files, programs and links, and is the same each time", async () => {
    const large = Buffer.alloc(700_000, "0123456789");
    await put("dist/ü und b.txt", "hello");
    await put("dist/empty", "");
    await put("dist/large", large);
    await put("dist/tool", "#!/bin/sh\n");
    await chmod(join(source, "dist/tool"), 0o700);
    await symlink("../dist/empty", join(source, "dist/link"));
    const bytes = await zipped(["dist"]);
    expect((await zipped(["dist"])).equals(bytes)).toBe(true);
    expect(await extract(bytes)).toBe(5);
    expect(await readFile(join(target, "dist/ü und b.txt"), "utf8")).toBe("hello");
    expect((await readFile(join(target, "dist/large"))).equals(large)).toBe(true);
    expect((await lstat(join(target, "dist/tool"))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(target, "dist/link"))).toBe("../dist/empty");
  });

  test("is a ZIP file to others", async () => {
    await put("a/one", "1");
    await put("a/large", Buffer.alloc(400_000, 1));
    const file = join(root, "x.zip");
    await writeFile(file, await zipped(["a"]));
    const script =
      "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename,i.file_size) for i in z.infolist()])";
    const { stdout } = await promisify(execFile)("python3", ["-c", script, file]);
    expect(stdout.trim()).toBe("[('a/large', 400000), ('a/one', 1)]");
  });

  test("replaces files and links of the checkout, and writes through no link", async () => {
    await put("out/a", "new");
    const bytes = await zipped(["out"]);
    await mkdir(join(target, "out"));
    await writeFile(join(root, "outside"), "old");
    await symlink(join(root, "outside"), join(target, "out/a"));
    await extract(bytes);
    expect(await readFile(join(root, "outside"), "utf8")).toBe("old");
    expect(await readFile(join(target, "out/a"), "utf8")).toBe("new");
    await rm(join(target, "out"), { recursive: true });
    await mkdir(join(root, "elsewhere"));
    await symlink(join(root, "elsewhere"), join(target, "out"));
    await expect(extract(bytes)).rejects.toThrow(
      "out/a cannot be written: something above it in the checkout is not a directory.",
    );
    await expect(lstat(join(root, "elsewhere/a"))).rejects.toThrow("ENOENT");
  });
});

describe("a workspace", () => {
  test("is searched without following links, and gives what can be part of an artifact", async () => {
    await put("dist/a", "1");
    await writeFile(join(root, "outside"), "secret");
    await symlink(join(root, "outside"), join(source, "dist/absolute"));
    await symlink("../../outside", join(source, "dist/relative"));
    await symlink(root, join(source, "dist/directory"));
    await symlink("a", join(source, "dist/fine"));
    await promisify(execFile)("mkfifo", [join(source, "dist/pipe")]);
    const { files, leftOut } = await find(["dist", "dist/directory/outside"]);
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ["dist/a", "file"],
      ["dist/fine", "link"],
    ]);
    expect(leftOut.toSorted()).toEqual([
      "dist/absolute (a link that leads out of the workspace)",
      "dist/directory (a link that leads out of the workspace)",
      "dist/pipe (neither a file nor a link)",
      "dist/relative (a link that leads out of the workspace)",
    ]);
  });

  test("has limits, each with words", async () => {
    for (let n = 0; n < 5; n += 1) await put(`d/${n}`, "");
    await expect(find(["d"], { ...limits, files: 4 })).rejects.toThrow(
      "More than 4 files match d, which is the limit. Name fewer.",
    );
    await expect(find(["a*", "b*", "c*", "**", "d*"], { ...limits, entries: 3 })).rejects.toThrow(
      "More than 3 files and directories would have to be looked at for a*, b*, c* and 2 more, which is the limit.",
    );
    expect((await find(["none/**"])).files).toEqual([]);
  });

  test("a file that is replaced or grows after it was found is not read", async () => {
    await put("a", "1");
    await writeFile(join(root, "outside"), "2");
    const [file] = (await find(["a"])).files;
    await rm(join(source, "a"));
    await symlink(join(root, "outside"), join(source, "a"));
    await expect(openFound(source, file!)).rejects.toThrow("a was changed while it was uploaded");
    await rm(join(source, "a"));
    await put("a", "123");
    await expect(openFound(source, file!)).rejects.toBeInstanceOf(ArtifactError);
    await put("dir/b", "1");
    const [below] = (await find(["dir"])).files;
    await rm(join(source, "dir"), { recursive: true });
    await mkdir(join(root, "other"));
    await writeFile(join(root, "other/b"), "x");
    await symlink(join(root, "other"), join(source, "dir"));
    await expect(openFound(source, below!)).rejects.toThrow("was changed");
  });

  test.each([
    ["a/link", "b", true],
    ["a/link", "../b", true],
    ["a/link", "../../b", false],
    ["link", "..", false],
    ["a/b/link", "../..", true],
    ["link", "/etc/passwd", false],
    ["link", "", false],
  ])("a link %s to %s: %s", (path, to, inside) => {
    expect(staysInside(path, to)).toBe(inside);
  });
});

describe("a hostile artifact", () => {
  const entry = (path: string, content: string, mode = fileMode) => {
    const bytes = Buffer.from(content);
    const facts = { path, sizeBytes: bytes.length, crc32: 0, modifiedMs: 0, mode, offset: 0 };
    const header = encodeHeader(facts);
    const list = encodeIndexEntry(facts);
    const end = encodeEnd({ count: 1, offset: header.length + bytes.length, sizeBytes: list.length });
    return Buffer.concat([header, bytes, list, end]);
  };

  test.each(["../x", "/etc/x", "a/../../x", "a//b", "a\\b", "a/./b", ""])("cannot name %j", async (path) => {
    await expect(extract(entry(path, "x"))).rejects.toBeInstanceOf(ArtifactError);
  });

  test("cannot leave a link that leads out, nor bytes that are no artifact", async () => {
    await expect(extract(entry("a", "/etc/passwd", linkMode))).rejects.toThrow(
      "a link leads out of the workspace",
    );
    await expect(extract(Buffer.alloc(5000, 1))).rejects.toThrow("it is not in the form of an artifact");
    const bytes = zipOf({ a: "1", b: "2" });
    for (let length = 0; length < bytes.length; length += 3)
      await expect(extractAlone(bytes.subarray(0, length))).rejects.toBeInstanceOf(ArtifactError);
  });
});
