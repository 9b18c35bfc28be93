import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import {
  createProcessStarter,
  type ProcessStarter,
} from "@forgeline/server/platform/processes/process-starter.ts";
import type { StartedProcess } from "@forgeline/server/platform/processes/started-process.ts";
import { eventually } from "../../../../support/eventually.ts";

const starter = createProcessStarter();
afterAll(() => starter.close());

const env = { PATH: process.env["PATH"] ?? "" };
const start = (program: string, args: string[], by: ProcessStarter = starter): Promise<StartedProcess> =>
  by.start({ program, args, directory: "/", env, stdio: ["pipe", "pipe", "pipe"], niceness: 0 });
const shell = (script: string, by?: ProcessStarter) => start("sh", ["-c", script], by);

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
}

const isThere = (pid: number) =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => !stat.includes(") Z "),
    () => false,
  );

it("gives input, output and complaints as streams, and how it ended", async () => {
  const child = await shell("cat; pwd; echo oh >&2; exit 3");
  child.stdin!.end("in\n");
  expect(await Promise.all([text(child.stdout!), text(child.stderr!)])).toEqual(["in\n/\n", "oh\n"]);
  expect([await child.exited, await child.closed]).toEqual([3, 3]);
});

it("starts the programs in a process of their own", async () => {
  const child = await start("cat", []);
  const parent = await parentOf(child.pid);
  expect(await parentOf(parent)).toBe(process.pid);
  child.stdin!.end();
  expect(await child.closed).toBe(0);
});

it("keeps the streams of programs that run side by side apart", async () => {
  const texts = Array.from({ length: 30 }, (_, n) => `${n} `.repeat(50_000));
  const echoed = await Promise.all(
    texts.map(async (each) => {
      const child = await start("cat", []);
      child.stdin!.end(each);
      return text(child.stdout!);
    }),
  );
  expect(echoed.map((each, n) => each === texts[n])).not.toContain(false);
});

it("leaves output waiting that nobody reads, so that memory has an end", async () => {
  const child = await shell("yes | head -c 20000000");
  child.stdout!.once("readable", () => undefined);
  await once(child.stdout!, "readable");
  expect(child.stdout!.readableLength).toBeLessThan(1_000_000);
  let size = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) size += chunk.length;
  expect(size).toBe(20_000_000);
});

it("rejects for a program and for a directory that are not there", async () => {
  await expect(start("no-such-program", [])).rejects.toThrow("ENOENT");
  const nowhere = { program: "true", args: [], directory: "/no/such/directory", env, niceness: 0 };
  await expect(starter.start({ ...nowhere, stdio: ["ignore", "pipe", "ignore"] })).rejects.toThrow("ENOENT");
});

it("kills what a program has started along with it", async () => {
  const child = await shell("sleep 600 & echo $!; wait");
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  child.kill();
  expect(await child.closed).toBeNull();
  await eventually(async () => !(await isThere(Number(line.toString()))));
});

it("lets no stranger into a program's place", async () => {
  const child = await start("cat", []);
  const sockets = await readFile("/proc/net/unix", "utf8");
  const names = new Set(sockets.match(new RegExp(`forgeline-${process.pid}-[0-9a-f]+`, "g")));
  for (const name of names) {
    const stranger = connect(`\0${name}`);
    stranger.write("0".repeat(44));
    expect(await text(stranger as Readable)).toBe("");
  }
  expect(names.size).toBeGreaterThan(0);
  child.stdin!.end("mine");
  expect(await text(child.stdout!)).toBe("mine");
});

describe("output in pieces", () => {
  const inPieces = (script: string) =>
    starter.start({
      program: "sh",
      args: ["-c", script],
      directory: "/",
      env,
      stdio: ["ignore", "pieces", "ignore"],
      niceness: 0,
    });

  it("comes whole and in order, each piece when the one before is done with", async () => {
    const child = await inPieces("seq 1 500000");
    let read = "";
    let taking = 0;
    await child.pieces!(async (piece) => {
      taking += 1;
      expect(taking).toBe(1);
      const before = piece.toString();
      await new Promise((resolve) => setImmediate(resolve));
      expect(piece.toString()).toBe(before);
      read += before;
      taking -= 1;
    });
    const numbers = Array.from({ length: 500_000 }, (_, n) => n + 1);
    expect(read === `${numbers.join("\n")}\n`).toBe(true);
    expect(await child.closed).toBe(0);
  });

  it("is dropped where nobody has begun to read it", async () => {
    const child = await inPieces("seq 1 10");
    expect(await child.closed).toBe(0);
  });

  it("ends where it cannot be taken", async () => {
    const child = await inPieces("yes");
    await expect(child.pieces!(() => Promise.reject(new Error("enough")))).rejects.toThrow("enough");
    expect(await child.closed).not.toBe(0);
  });
});

it("gives way as far as it is told", async () => {
  const given = { program: "sh", args: ["-c", "read go; nice"], directory: "/", env, niceness: 10 };
  const child = await starter.start({ ...given, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin!.end("go\n");
  expect(await text(child.stdout!)).toBe("10\n");
});

it("ends what ran when the process that starts them dies, and starts the next by another", async () => {
  const own = createProcessStarter();
  const child = await shell("sleep 600", own);
  process.kill(await parentOf(child.pid), "SIGKILL");
  expect(await child.closed).toBeNull();
  await eventually(async () => !(await isThere(child.pid)));
  const next = await shell("echo again", own);
  expect(await text(next.stdout!)).toBe("again\n");
  own.close();
});

it("ends what runs when it is closed, and starts nothing then", async () => {
  const own = createProcessStarter();
  const child = await shell("sleep 600", own);
  own.close();
  expect(await child.closed).toBeNull();
  await expect(shell("true", own)).rejects.toThrow("no more programs");
});

it("goes on with a server that was told to end, and ends with it", async () => {
  const module = new URL("../../../../../server/platform/processes/process-starter.ts", import.meta.url);
  const script = `const { createProcessStarter } = await import(${JSON.stringify(module.href)});
    const given = { program: "cat", args: [], directory: "/", env: process.env, stdio: ["pipe", "pipe", "ignore"], niceness: 0 };
    const starter = createProcessStarter();
    process.on("SIGTERM", async () => console.log((await starter.start(given)).pid));
    console.log((await starter.start(given)).pid);`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: fileURLToPath(new URL("../../../../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await once(server.stdout, "data")) as [Buffer];
  const parent = await parentOf(Number(first.toString()));
  process.kill(parent, "SIGTERM");
  process.kill(parent, "SIGINT");
  server.kill("SIGTERM");
  const [second] = (await once(server.stdout, "data")) as [Buffer];
  expect(await parentOf(Number(second.toString()))).toBe(parent);
  server.kill("SIGKILL");
  await eventually(async () => !(await isThere(parent)));
});
