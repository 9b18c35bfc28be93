/**
 * One command of an SSH client: looks up the key's owner, asks hosting for permission, and runs Git. Keys are looked up again
 * at each command, so a removed key stops working at once.
 */
import type { Actor } from "../../platform/access/actor.ts";
import { rateLimitExceeded, type RateLimits } from "../../domains/operation/domain.ts";
import type { Subject } from "../../platform/access/subject.ts";
import type { GitAccess } from "../../domains/hosting/domain.ts";
import type { KeyOwner, KeyOwners } from "../../domains/accounts/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import { diskFull, isDiskFull } from "../../platform/disk-full.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Capabilities } from "../../platform/git/transfer/capabilities.ts";
import type { ListRefs } from "../../platform/git/refs/ref-listing.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import type { CommandChannel } from "./command-channel.ts";
import { readCommand, type GitCommand, type SshCommand } from "./command.ts";
import type { Exchange, GitProtocol } from "./exchange.ts";
import type { SshLimits } from "./limits.ts";
import type { SshMetrics } from "./metrics.ts";
import { serveReceivePack } from "./receive-pack.ts";
import { serveUploadArchive } from "./upload-archive.ts";
import { serveUploadPack } from "./upload-pack.ts";
import type { WantFilter } from "../../platform/git/transfer/wants.ts";

export interface RunCommandDeps {
  git: Git;
  gitAccess: GitAccess;
  rateLimits: RateLimits;
  keyHolders: KeyOwners;
  capabilities: Capabilities;
  listRefs: ListRefs;
  wantFilter: WantFilter;
  limits: SshLimits;
  metrics: SshMetrics;
  logger: Logger;
}

export interface CommandRequest {
  fingerprint: string;
  /** The subject of the rate limit, from the login, so that counting needs no lookup of the key. */
  subject: Subject | null;
  /** As the client sent it; undefined when it asked for a shell. */
  command: string | undefined;
  protocol: GitProtocol | undefined;
  channel: CommandChannel;
  request: NonNullable<Actor["request"]>;
}

/** Answers the command completely; never rejects. */
export type RunCommand = (request: CommandRequest) => Promise<void>;

export function createRunCommand(deps: RunCommandDeps): RunCommand {
  async function holderOf(fingerprint: string): Promise<KeyOwner> {
    const holder = await deps.keyHolders.find(fingerprint);
    if (!holder) throw new AppError("unauthorized", { message: "This key is no longer valid." });
    deps.keyHolders.touch(holder.keyId);
    return holder;
  }

  /** For every request, because invalid and refused ones also cost a lookup and an answer. */
  async function count(subject: Subject | null): Promise<void> {
    const taken = subject && (await deps.rateLimits.take("git", subject));
    if (taken && !taken.allowed) throw rateLimitExceeded(taken.status);
  }

  async function serveGit(
    { program, owner, name }: GitCommand,
    actor: Actor,
    { channel, protocol }: CommandRequest,
  ): Promise<number> {
    const grant = await deps.gitAccess.authorize(actor, { program, owner, name });
    const opened = await grant.open();
    const exchange: Exchange = {
      git: deps.git,
      logger: deps.logger,
      directory: opened.directory,
      channel,
      protocol,
      timeoutMs: deps.limits.commandMs,
      underSlot: (work) => opened.underSlot(channel, work),
      room: opened.requestMemory,
    };
    const { capabilities, listRefs, wantFilter } = deps;
    if (program === "upload-pack")
      return serveUploadPack({ ...exchange, capabilities, listRefs, wantFilter });
    if (program === "upload-archive") return serveUploadArchive(exchange);
    return serveReceivePack({ ...exchange, session: await opened.beginPush() });
  }

  async function serve(command: SshCommand, holder: KeyOwner, request: CommandRequest): Promise<number> {
    const actor = { ...holder.actor, request: request.request };
    if (command.program !== "lfs-authenticate") return serveGit(command, actor, request);
    const caller = { actor, credential: holder.keyId };
    const { owner, name, operation } = command;
    const answer = await deps.gitAccess.handOverToLfs(caller, { owner, name, operation });
    await request.channel.send(Buffer.from(`${JSON.stringify(answer)}\n`));
    return 0;
  }

  async function answer(request: CommandRequest): Promise<{ exitCode: number; words?: string }> {
    await count(request.subject);
    const holder = await holderOf(request.fingerprint);
    if (request.command === undefined) return { exitCode: 1, words: greeting(holder.name) };
    const command = readCommand(request.command);
    if ("problem" in command) return { exitCode: 128, words: `ERROR: ${command.problem}` };
    return { exitCode: await serve(command, holder, request) };
  }

  return async (request) => {
    const stop = deps.metrics.commands.startTimer({ program: programOf(request.command) });
    try {
      const { exitCode, words } = await answer(request);
      await request.channel.finish(exitCode, words);
      stop({ result: exitCode === 0 ? "ok" : "failed" });
    } catch (error) {
      await request.channel.finish(128, `ERROR: ${wordsFor(error, request, deps.logger)}`);
      stop({ result: "refused" });
    }
  };
}

function greeting(name: string): string {
  return `Hi ${name}! You've successfully authenticated, but Forgeline does not provide shell access.`;
}

function programOf(command: string | undefined): string {
  if (command === undefined) return "none";
  const read = readCommand(command);
  return "problem" in read ? "other" : read.program;
}

function wordsFor(error: unknown, { request }: CommandRequest, logger: Logger): string {
  if (isDiskFull(error)) return diskFull().message;
  if (!(error instanceof AppError)) {
    logger.error({ err: error, request_id: request.id }, "an SSH command failed");
    return new AppError("unavailable").message;
  }
  return error.code === "not_found" ? "Repository not found." : error.message;
}
