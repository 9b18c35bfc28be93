/** The packet filter of the runner's own network, by one process that stays: a question takes no new process. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { framesAsBytes, readAnswers } from "./answers.ts";
import type { Kernel } from "./kernel.ts";

/** `program` is the path of `forgeline-init`. */
export function createOwnProcess(program: () => Promise<string>): Kernel {
  let child: Promise<ChildProcessWithoutNullStreams> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function start(): Promise<ChildProcessWithoutNullStreams> {
    const started = spawn(await program(), ["netfilter"], { stdio: "pipe" });
    started.once("close", () => {
      child = null;
    });
    // A pipe that breaks ends the process too, which is noticed there.
    for (const part of [started, started.stdin]) part.on("error", () => undefined);
    // It ends with its input, and nobody waits for it.
    started.unref();
    for (const stream of [started.stdin, started.stdout, started.stderr])
      (stream as unknown as { unref(): void }).unref();
    return started;
  }

  async function exchange(bytes: Buffer, count: number): Promise<string> {
    const process = await (child ??= start());
    const { promise, resolve } = Promise.withResolvers<string>();
    let text = "";
    const onData = (data: Buffer): void => {
      text += data.toString();
      if (text.split("\n").filter((line) => line.startsWith("end ")).length >= count) resolve(text);
    };
    const onClose = (): void => resolve(text);
    const { stdout } = process;
    // While an answer is awaited the runner must not end.
    (stdout as unknown as { ref(): void }).ref();
    stdout.on("data", onData);
    process.once("close", onClose);
    try {
      process.stdin.write(bytes);
      return await promise;
    } finally {
      stdout.off("data", onData);
      process.off("close", onClose);
      (stdout as unknown as { unref(): void }).unref();
    }
  }

  return {
    async ask(frames) {
      const before = last;
      const asked = before
        .catch(() => undefined)
        .then(async () => readAnswers(await exchange(framesAsBytes(frames), frames.length), frames));
      last = asked;
      return asked;
    },
    resolvers: () => [],
    isSame: () => Promise.resolve(true),
    close() {
      void child?.then(({ stdin }) => stdin.end());
    },
  };
}
