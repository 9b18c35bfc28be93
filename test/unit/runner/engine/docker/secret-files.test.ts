import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isOfStep, stepSecretFiles, writeSecretFile } from "@forgeline/runner/engine/docker/secret-files.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-secret-files-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it("names the files of a step, and the variables that hold their paths", () => {
  const { paths, secretFiles } = stepSecretFiles({ position: 1, files: { A: "a", B: "b" } }, "/f/in");
  expect(paths).toEqual({ A: "/f/in/step-1.secret-0", B: "/f/in/step-1.secret-1" });
  expect(secretFiles.map(({ content }) => content)).toEqual(["a", "b"]);
  expect(secretFiles.every(({ name }) => isOfStep(name, 1) && !isOfStep(name, 11))).toBe(true);
  expect(isOfStep("step-11.env", 1)).toBe(false);
  expect(stepSecretFiles({ position: 0 }, "/f/in")).toEqual({ paths: {}, secretFiles: [] });
});

it("is for the step's user alone where the runner can see to it", async () => {
  const modeOf = async (user: Parameters<typeof writeSecretFile>[2], name: string) => {
    const path = join(directory, name);
    await writeSecretFile(path, "value", user);
    const { mode, uid } = await stat(path);
    expect(await readFile(path, "utf8").catch(() => "value")).toBe("value");
    return [(mode & 0o777).toString(8), uid];
  };
  const own = process.getuid?.() ?? 0;
  const isRoot = own === 0;
  const user = { uid: 1234, gid: 1234, hasShell: true };
  expect(await modeOf(user, "other")).toEqual(isRoot ? ["400", 1234] : ["444", own]);
  expect(await modeOf({ ...user, uid: 0, gid: 0 }, "root")).toEqual(["400", own]);
  expect(await modeOf(null, "unknown")).toEqual(["444", own]);
});
