/** Calls a command of the command line in this process, as if it were one of its own: environment, directory, output, status. */
import { runCommandLine } from "@forgeline/cli/command-line.ts";
import type { CommandResult } from "./command-line.ts";

let turn = Promise.resolve();

/** One after the other: what is lent to a command belongs to the whole process. */
export function callCommandLine(
  args: readonly string[],
  place: { home: string; env: NodeJS.ProcessEnv },
): Promise<CommandResult> {
  const result = turn.then(() => callNow(args, place));
  turn = result.then(
    () => undefined,
    () => undefined,
  );
  return result;
}

async function callNow(
  args: readonly string[],
  { home, env }: { home: string; env: NodeJS.ProcessEnv },
): Promise<CommandResult> {
  const before = { env: { ...process.env }, directory: process.cwd(), code: process.exitCode };
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  try {
    setEnvironment(env);
    process.chdir(home);
    process.exitCode = undefined;
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), stdout: out.text(), stderr: err.text() };
  } finally {
    out.release();
    err.release();
    setEnvironment(before.env);
    process.chdir(before.directory);
    process.exitCode = before.code;
  }
}

/** In place: the directory of a user is asked of the real environment. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

function capture(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const chunks: Buffer[] = [];
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof stream.write;
  return {
    text: () => Buffer.concat(chunks).toString(),
    release() {
      stream.write = write;
    },
  };
}
