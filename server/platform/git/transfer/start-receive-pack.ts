/**
 * Starts Git for a push, for every entry point: with our checks in its hooks, and its report held back until everything is
 * durable.
 */
import type { Duplex } from "node:stream";
import type { PushSession } from "./push-session.ts";
import type { StartedProcess } from "../../processes/started-process.ts";
import { createDurablePush } from "./durable-push.ts";
import { firstText } from "../processes/first-text.ts";
import { createPushCommands, type PushCommands } from "./push-commands.ts";
import { serveHooks } from "./push-hooks.ts";
import { createPreambleLimit } from "./push-preamble.ts";
import { eachRefHooksDirectory, pushEnvironment, type Git } from "../processes/run-git.ts";

export interface ReceivePackStart {
  git: Git;
  directory: string;
  protocol: string | undefined;
  timeoutMs: number;
  session: PushSession;
  /** If the caller asks for them, too. */
  commands?: PushCommands;
  /** Of `receive-pack`, before the directory. */
  options: readonly string[];
}

export interface ReceivePack {
  child: StartedProcess;
  push: ReturnType<typeof createDurablePush>;
  hooks: Duplex;
  /** Shown every piece of the client's before Git gets it. Throws for more refs than are taken. */
  see(chunk: Buffer): void;
  /** Git's error output. */
  problems(): string;
}

export async function startReceivePack(start: ReceivePackStart): Promise<ReceivePack> {
  const { git, directory, protocol, session } = start;
  const asksEachRef = await session.judgesEachRef();
  const child = await git.start({
    directory,
    args: [
      ...(asksEachRef ? ["-c", `core.hooksPath=${eachRefHooksDirectory}`] : []),
      "receive-pack",
      ...start.options,
      // Git binds what a certificate must name to this word. Servers may see the directory under different paths.
      ".",
    ],
    takesCertificates: true,
    env: { ...pushEnvironment, ...(protocol ? { GIT_PROTOCOL: protocol } : {}) },
    inheritsFd3: true,
    timeoutMs: start.timeoutMs,
  });
  const hooks = child.handle3!;
  const push = createDurablePush({ directory, stdout: child.stdout!, handlers: session });
  const { commands = createPushCommands() } = start;
  serveHooks(hooks, push.handlers, () => commands.understands("atomic"));
  const look = createPreambleLimit();
  const see = (chunk: Buffer) => {
    look(chunk);
    commands.see(chunk);
  };
  return { child, push, hooks, see, problems: firstText(child.stderr!) };
}
