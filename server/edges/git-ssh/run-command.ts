/**
 * One command of an SSH client: who it is now, what it may (by the one permission mechanism), and then Git. Keys are asked
 * for again at each command, so one that was removed works for none.
 */
import type { Actor } from "../../platform/access/actor.ts";
import { rateLimitExceeded, type RateLimits } from "../../domains/operation/domain.ts";
import type { Authorizer, RepositoryRef } from "../../domains/policy/domain.ts";
import type { Requirement } from "../../platform/access/requirement.ts";
import type { Subject } from "../../platform/access/subject.ts";
import { type Lfs, lfsRequirements, type PushService } from "../../domains/hosting/domain.ts";
import type { KeyOwner, KeyOwners } from "../../domains/accounts/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import { assertRoom, diskFull, isDiskFull } from "../../platform/disk-full.ts";
import type { Logger } from "../../platform/logger.ts";
import { underHeldSlot } from "../../platform/git/processes/admission.ts";
import type { Capabilities } from "../../platform/git/transfer/capabilities.ts";
import { claimantOf } from "../../platform/git/processes/exchange-claim.ts";
import type { Claim, GitSlots } from "../../platform/git/processes/git-slots.ts";
import type { ListRefs } from "../../platform/git/refs/ref-listing.ts";
import type { MakeRequestMemory } from "../../platform/git/processes/request-memory.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../platform/git/storage/storage.ts";
import type { CommandChannel } from "./command-channel.ts";
import { readCommand, type SshCommand } from "./command.ts";
import type { Exchange, GitProtocol } from "./exchange.ts";
import type { SshLimits } from "./limits.ts";
import type { SshMetrics } from "./metrics.ts";
import { serveReceivePack } from "./receive-pack.ts";
import { serveUploadArchive } from "./upload-archive.ts";
import { serveUploadPack } from "./upload-pack.ts";
import type { WantFilter } from "../../platform/git/transfer/wants.ts";

export interface RunCommandDeps {
  git: Git;
  storage: RepositoryStorage;
  pushes: Pick<PushService, "begin">;
  authorizer: Authorizer;
  rateLimits: RateLimits;
  keyHolders: KeyOwners;
  lfs: Pick<Lfs, "handOver">;
  exchangeSlots: GitSlots;
  capabilities: Capabilities;
  listRefs: ListRefs;
  wantFilter: WantFilter;
  requestMemory: MakeRequestMemory;
  limits: SshLimits;
  metrics: SshMetrics;
  logger: Logger;
}

export interface CommandRequest {
  fingerprint: string;
  /** Whom it counts against; as of the login, so that counting needs no look for the key. */
  subject: Subject | null;
  /** As the client sent it; undefined when it asked for a shell. */
  command: string | undefined;
  protocol: GitProtocol | undefined;
  channel: CommandChannel;
  request: NonNullable<Actor["request"]>;
}

interface Granted extends Pick<CommandRequest, "channel" | "protocol"> {
  repository: RepositoryRef;
  actor: Actor;
}

/** Answers the command completely; never rejects. */
export type RunCommand = (request: CommandRequest) => Promise<void>;

const requirements: Record<Exclude<SshCommand["program"], "lfs-authenticate">, Requirement> = {
  "upload-pack": { access: "repo_read", scope: "repo:read" },
  "upload-archive": { access: "repo_read", scope: "repo:read" },
  "receive-pack": { access: "repo_write", scope: "repo:write" },
};

function requirementOf({ program, operation }: SshCommand): Requirement {
  return program === "lfs-authenticate" ? lfsRequirements[operation ?? "upload"] : requirements[program];
}

export function createRunCommand(deps: RunCommandDeps): RunCommand {
  async function holderOf(fingerprint: string): Promise<KeyOwner> {
    const holder = await deps.keyHolders.find(fingerprint);
    if (!holder) throw new AppError("unauthorized", { message: "This key is no longer valid." });
    deps.keyHolders.touch(holder.keyId);
    return holder;
  }

  /** Whatever is asked: what makes no sense, or is refused, is looked up and answered, too. */
  async function count(subject: Subject | null): Promise<void> {
    const taken = subject && (await deps.rateLimits.take("git", subject));
    if (taken && !taken.allowed) throw rateLimitExceeded(taken.status);
  }

  async function admit(command: SshCommand, actor: Actor): Promise<RepositoryRef> {
    const { repository } = await deps.authorizer.authorizeRepository(actor, requirementOf(command), command);
    await deps.storage.check(repository.id);
    return repository;
  }

  async function serveGit(
    program: SshCommand["program"],
    { repository, actor, channel, protocol }: Granted,
  ): Promise<number> {
    const directory = deps.storage.directory(repository.id);
    const claimant = claimantOf(actor, repository);
    const claim = { repositoryId: repository.id, ...claimant, client: channel.client, gone: channel.gone };
    const exchange = {
      git: deps.git,
      logger: deps.logger,
      directory,
      channel,
      protocol,
      timeoutMs: deps.limits.commandMs,
      underSlot: createUnderSlot(deps.exchangeSlots, claim),
      room: (maxBytes?: number) => deps.requestMemory(claimant, maxBytes),
    };
    const { capabilities, listRefs, wantFilter } = deps;
    if (program === "upload-pack")
      return serveUploadPack({ ...exchange, capabilities, listRefs, wantFilter });
    if (program === "upload-archive") return serveUploadArchive(exchange);
    await assertRoom(directory);
    return serveReceivePack({ ...exchange, session: deps.pushes.begin(repository, actor) });
  }

  async function serve(command: SshCommand, holder: KeyOwner, request: CommandRequest): Promise<number> {
    const actor = { ...holder.actor, request: request.request };
    const repository = await admit(command, actor);
    if (command.program === "lfs-authenticate") {
      const grant = { credential: holder.keyId, operation: command.operation ?? "download" } as const;
      await request.channel.send(Buffer.from(`${JSON.stringify(deps.lfs.handOver(repository, grant))}\n`));
      return 0;
    }
    const { channel, protocol } = request;
    return serveGit(command.program, { repository, actor, channel, protocol });
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

/** A slot for each piece of work; one that had a slot before is not ended by a full queue. */
function createUnderSlot(gate: GitSlots, claim: Claim): Exchange["underSlot"] {
  let hasBegun = false;
  return async (work) => {
    const leave = await gate.enter({ ...claim, hasBegun });
    hasBegun = true;
    return underHeldSlot(work).finally(leave);
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
