/** PostgreSQL's programs are copied by whoever starts first: processes that start at the same moment, and killed ones. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyAtomically } from "@forgeline/launcher/atomic-copy.ts";
import { eventually } from "../../support/eventually.ts";

let directory: string;
let source: string;
let target: string;
const count = 400;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-copy-"));
  source = join(directory, "source");
  target = join(directory, "there", "programs");
  await mkdir(join(source, "bin"), { recursive: true });
  await writeFile(join(source, "bin", "postgres"), "program");
  for (let i = 0; i < count; i++) await writeFile(join(source, `file-${i}`), String(i).repeat(20_000));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function copyInProcess() {
  const module = new URL("../../../launcher/atomic-copy.ts", import.meta.url).href;
  const script = `import { copyAtomically } from ${JSON.stringify(module)};
    await copyAtomically(${JSON.stringify(source)}, ${JSON.stringify(target)}, "bin/postgres");`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
}

async function expectWhole(): Promise<void> {
  expect(await readdir(target)).toHaveLength(count + 1);
  expect(await readFile(join(target, `file-${count - 1}`), "utf8")).toHaveLength(
    String(count - 1).length * 20_000,
  );
  expect(await readdir(join(directory, "there"))).toEqual(["programs"]);
}

it("is whole, and made once, when several start at the same moment", async () => {
  const exits = [1, 2, 3].map(() => once(copyInProcess(), "exit"));
  expect((await Promise.all(exits)).map(([code]) => code as number)).toEqual([0, 0, 0]);
  await expectWhole();
});

it("is not there when its maker was killed half-way, and the next one cleans up", async () => {
  const maker = copyInProcess();
  const exited = once(maker, "exit");
  const half = () => readdir(`${target}.${maker.pid}.new`).then((names) => names.length > 5);
  await eventually(half, { intervalMs: 1 });
  maker.kill("SIGKILL");
  await exited;
  await expect(readdir(target)).rejects.toMatchObject({ code: "ENOENT" });
  await copyAtomically(source, target, "bin/postgres");
  await expectWhole();
});

it("takes the place of a half copy without the witness", async () => {
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "file-0"), "half");
  await copyAtomically(source, target, "bin/postgres");
  await expectWhole();
});
