/**
 * Git over HTTPS, the smart protocol, versions 0 to 2: identifies the caller, asks hosting for permission, and counts the
 * operation. Then Git and the client exchange data without buffering. Refusals are in `refuse.ts`.
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Response } from "express";
import type { Config } from "../../config/config.ts";
import { anonymousActor, type Actor } from "../../platform/access/actor.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { GitOperations, RateLimits } from "../../domains/operation/domain.ts";
import type { GitAccess, GitExchange } from "../../domains/hosting/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Capabilities } from "../../platform/git/transfer/capabilities.ts";
import type { Pace } from "../../platform/git/processes/pace.ts";
import type { ListRefs } from "../../platform/git/refs/ref-listing.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import { createPushCommands, type PushCommands } from "../../platform/git/transfer/push-commands.ts";
import { createAdvertiser } from "./advertise.ts";
import { createClientPace } from "../../platform/git/processes/client-pace.ts";
import { createGitCounter } from "./count-operation.ts";
import { parseGitAddress, type GitAddress } from "./git-address.ts";
import { clientGone, limitTime } from "./limit-time.ts";
import { isProbe, refuse } from "./refuse.ts";
import { requestBody } from "./request-body.ts";
import { readRequest } from "./read-request.ts";
import { serveReceivePack } from "./receive-pack.ts";
import { serveUploadPack } from "./upload-pack.ts";
import type { WantFilter } from "../../platform/git/transfer/wants.ts";

export interface GitHttpDeps {
  git: Git;
  gitAccess: Pick<GitAccess, "authorize">;
  rateLimits: RateLimits;
  gitOperations: GitOperations;
  authenticate: IdentityService["authenticate"];
  logger: Logger;
  capabilities: Capabilities;
  listRefs: ListRefs;
  wantFilter: WantFilter;
  config: Pick<Config, "gitExchanges">;
}

export interface GitHttp {
  /** True for requests that this router answers, and answers completely. */
  matches(req: IncomingMessage): boolean;
  /** Never rejects. */
  handle(req: IncomingMessage, res: Response, request: NonNullable<Actor["request"]>): Promise<void>;
}

interface Sent {
  req: IncomingMessage;
  res: Response;
  /** The decompressed body; the same at each call. Throws `unsupported_media_type`. */
  readBody(): Readable;
  /** What was read of a push. */
  commands: PushCommands;
}

export function createGitHttp(deps: GitHttpDeps): GitHttp {
  const advertise = createAdvertiser(deps);
  const counter = createGitCounter(deps);

  /** An invalid credential counts against the client's address. */
  async function authenticate(
    { req, res }: { req: IncomingMessage; res: Response },
    request: NonNullable<Actor["request"]>,
    address: GitAddress,
  ): Promise<Actor> {
    try {
      return await deps.authenticate(req, request);
    } catch (error) {
      await counter.enter(res, { ...anonymousActor, request }, address);
      throw error;
    }
  }

  async function admit(address: GitAddress, actor: Actor, res: Response): Promise<GitExchange> {
    const { owner, name, service: program } = address;
    // Git first sends a request without its credential and gets 401: that is not an operation, and must not use up the limit of
    // a shared address.
    if (actor.kind !== "anonymous") await counter.enter(res, actor, address);
    const grant = await deps.gitAccess.authorize(actor, { program, owner, name });
    if (actor.kind === "anonymous") await counter.enter(res, actor, address);
    if (address.kind === "dumb")
      throw new AppError("forbidden", { message: "This server supports only the smart HTTP protocol." });
    return grant.open();
  }

  async function exchange(address: GitAddress, actor: Actor, { req, res, ...sent }: Sent): Promise<void> {
    const opened = await admit(address, actor, res);
    limitTime(res, deps.config.gitExchanges);
    const { pace, client } = createClientPace(res, deps.config.gitExchanges.pace);
    const room = opened.requestMemory();
    try {
      const isFetch = address.kind === "rpc" && address.service === "upload-pack";
      const request = isFetch ? await readRequest(sent.readBody(), room) : undefined;
      const asked = { address, actor, opened };
      // Also for requests that start no process, so that a refused client learns it before it packs and sends a push.
      await opened.underSlot({ client, gone: clientGone(res) }, () =>
        serve(asked, { req, res, request, pace, ...sent }),
      );
    } finally {
      room.close();
    }
  }

  async function serve(
    { address, actor, opened }: { address: GitAddress; actor: Actor; opened: GitExchange },
    { req, res, pace, request, readBody, commands }: Sent & { pace: Pace; request: Buffer | undefined },
  ): Promise<void> {
    const { directory } = opened;
    const protocol = protocolOf(req);
    // Also when refs are listed, so that the client learns of a full disk before it packs and sends a push.
    const session = address.service === "receive-pack" ? await opened.beginPush() : undefined;
    res.setHeader("Cache-Control", "no-cache, max-age=0, must-revalidate");
    const { wholeMs: timeoutMs } = deps.config.gitExchanges;
    if (address.kind === "advertise")
      return advertise({ service: address.service, directory, protocol, timeoutMs, res, pace });
    const common = { git: deps.git, logger: deps.logger, directory, protocol, timeoutMs, pace, res };
    const type = `application/x-git-${address.service}-result`;
    if (request) {
      res.setHeader("Content-Type", type);
      const { listRefs, wantFilter } = deps;
      if (await serveUploadPack({ ...common, request, listRefs, wantFilter }))
        await counter.ended(actor, address);
    } else if (session) {
      const body = readBody();
      res.setHeader("Content-Type", type);
      try {
        await serveReceivePack({ ...common, body, commands, session });
      } finally {
        if (!isProbe(req)) await counter.ended(actor, address);
      }
    }
  }

  return {
    matches: (req) => parseGitAddress(req.method ?? "", req.url ?? "") !== undefined,
    async handle(req, res, request) {
      const address = parseGitAddress(req.method ?? "", req.url ?? "");
      const commands = createPushCommands();
      let body: Readable | undefined;
      const readBody = () => (body ??= requestBody(req, address?.service ?? "upload-pack"));
      let isAnonymous = false;
      try {
        if (!address) throw new AppError("not_found");
        const actor = await authenticate({ req, res }, request, address);
        isAnonymous = actor.kind === "anonymous";
        await exchange(address, actor, { req, res, readBody, commands });
      } catch (error) {
        const log = { logger: deps.logger, requestId: request.id };
        await refuse({ req, res, error, isAnonymous, address, readBody, commands, log });
      }
    },
  };
}

/** Only values that Git itself sends are passed on to Git's environment. */
function protocolOf(req: IncomingMessage): "version=1" | "version=2" | undefined {
  const header = req.headers["git-protocol"];
  return header === "version=2" || header === "version=1" ? header : undefined;
}
