/** `run`: what a program says and how it ends, told to who started it; asked to end, it ends with all that it started. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandError, run } from "@forgeline/launcher/run.ts";
import { eventually } from "../../support/eventually.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-run-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const sh = (script: string, ...args: string[]) => ["-c", script, "sh", ...args];

async function failureOf(running: Promise<string>): Promise<CommandError> {
  const failure: unknown = await running.then(
    (said) => new Error(`it succeeded: ${said}`),
    (error: unknown) => error,
  );
  if (!(failure instanceof CommandError)) throw failure;
  return failure;
}

describe("a program that succeeds", () => {
  it("gives its standard output, whole and alone", async () => {
    expect(await run("sh", sh("echo one; echo other >&2; printf ' two\\n\\n'"))).toBe("one\n two\n\n");
  });

  it("gives more than fits into a pipe, with letters of several bytes cut by none", async () => {
    const text = "é€😀".repeat(200_000);
    const said = await run("cat", [], { input: text });
    expect(said === text).toBe(true);
  });

  it("gets its arguments as they are, through no shell", async () => {
    const words = ["$HOME", "a b", "'", "*", "; exit 3", ""];
    expect(await run("sh", sh(`printf '<%s>' "$@"`, ...words))).toBe(
      words.map((word) => `<${word}>`).join(""),
    );
  });

  it("may leave its input unread", async () => {
    expect(await run("sh", sh("true"), { input: "x".repeat(1_000_000) })).toBe("");
  });

  it("has an empty input where none is given", async () => {
    expect(await run("cat", [])).toBe("");
  });

  it("runs where it is told to, with the environment that it is given and no other", async () => {
    const said = await run("/bin/sh", sh("pwd; env | grep -v ^PWD | grep -v ^_ | grep -v ^SHLVL; true"), {
      cwd: "/",
      env: { A: "b", LEFT_OUT: undefined },
    });
    expect(said).toBe("/\nA=b\n");
  });

  it("has our environment where none is given", async () => {
    expect(await run("sh", sh('printf %s "$PATH"'))).toBe(process.env["PATH"]);
  });

  it("tells each line of both outputs as it comes", async () => {
    const lines: string[] = [];
    const go = join(directory, "go");
    const running = run("sh", sh(`echo a; echo b >&2; until [ -e ${go} ]; do sleep 0.05; done; echo c`), {
      onLine: (line) => lines.push(line),
    });
    await eventually(() => expect([...lines].sort()).toEqual(["a", "b"]));
    await writeFile(go, "");
    await running;
    expect(lines.at(-1)).toBe("c");
  });
});

describe("a program that fails", () => {
  it("is told with its first words, its status and what it said on both outputs", async () => {
    const failure = await failureOf(run("sh", sh("echo out; sleep 0.2; echo err >&2; exit 3", "secret")));
    expect(failure.message).toBe("sh -c echo out; sleep 0.2; echo err >&2; exit 3 failed (exit 3): out\nerr");
    expect(failure).toMatchObject({ name: "CommandError", exitCode: 3, output: "out\nerr\n" });
  });

  it("is told so when a signal ended it", async () => {
    const failure = await failureOf(run("sh", sh("kill -TERM $$")));
    expect(failure.message).toContain("failed (exit by signal)");
    expect(failure.exitCode).toBeNull();
  });

  it("keeps the end of what it said", async () => {
    const failure = await failureOf(run("sh", sh("seq 1 100000; exit 1")));
    expect(failure.output.length).toBeLessThanOrEqual(20_000);
    expect(failure.output).toMatch(/\n99999\n100000\n$/);
    expect(failure.message.length).toBeLessThan(2_100);
  });

  it.each(["/no/such/program", "no-such-program"])(
    "rejects with what the system says: %s",
    async (program) => {
      await expect(run(program, [])).rejects.toMatchObject({ code: "ENOENT", syscall: `spawn ${program}` });
    },
  );
});

describe("a program that is to be ended", () => {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  /** `inScript` makes of a program that says which processes there are, and then stays, a script that starts it. */
  async function abortOnceStarted(inScript: (child: string) => string) {
    const file = join(await mkdtemp(join(directory, "abort-")), "pids");
    const child = `sh -c 'echo $PPID $$ > "$0.new"; mv "$0.new" "$0"; sleep 1000; true' ${file}`;
    const controller = new AbortController();
    const told = run("sh", sh(inScript(child)), { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    const pids = await eventually(async () => (await readFile(file, "utf8")).trim().split(" ").map(Number));
    controller.abort(new Error("stopped"));
    expect(await told).toMatchObject({ message: "stopped" });
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
  }

  it("ends with what it started, and the reason is told", () =>
    abortOnceStarted((child) => `${child}; true`));

  it("is killed with what it started, where one of them does not want to end", async () => {
    await Promise.all([
      abortOnceStarted((child) => `trap '' INT; ${child}; true`),
      // Left behind by its parent, which ends at once.
      abortOnceStarted((child) => `${child} & wait`),
    ]);
  });

  it("does not start when that was asked before", async () => {
    const file = join(directory, "never");
    const signal = AbortSignal.abort(new Error("before"));
    await expect(run("sh", sh(`: > ${file}`), { signal })).rejects.toThrow("before");
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("succeeds when it ended before", async () => {
    const controller = new AbortController();
    expect(await run("sh", sh("echo hi"), { signal: controller.signal })).toBe("hi\n");
    controller.abort();
  });
});
