/**
 * The upgrade of the runner socket: a runner's credential as bearer (401 without one that is known), TLS only (the upgrade
 * registry sees to it), the sub-protocol checked with a close code that says why. After too many wrong credentials, an address
 * is refused without a query; runners that were connected before are still accepted.
 */
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { closeCodes, runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import { maxShellFrameBytes, runnerShellPath } from "@forgeline/schemas/shells/socket.ts";
import { WebSocketServer, type WebSocket } from "ws";
import {
  type ConnectedRunner,
  type RunnerConnections,
  hashCredential,
  type RunnerMetrics,
} from "../../domains/pipelines/domain.ts";
import type { Upgrade, UpgradeRegistry } from "../http/upgrade.ts";
import { addressBlock } from "../../platform/network/address-block.ts";
import { AppError, retryLater } from "../../platform/app-error.ts";
import { createTokenBucket, type TokenBucket } from "../../platform/token-bucket.ts";
import { cutOff } from "../../platform/sockets/end-socket.ts";
import { pieces } from "../../platform/sockets/piece-limits.ts";
import { createLruMap } from "../../platform/sockets/lru-map.ts";
import type { RunnerHub } from "./hub.ts";
import { createTurns } from "../../platform/sockets/keyed-queue.ts";

export const runnerConnectPath = "/api/v1/runners/connect";
/** Wrong credentials of one address. */
const wrongTries = { burst: 60, perSecond: 1 };
const remembered = 10_000;

export interface RunnerUpgradeDeps {
  connections: Pick<RunnerConnections, "find">;
  hub: RunnerHub;
  metrics: Pick<RunnerMetrics, "refused">;
  shells: RunnerShells;
}

/** Who takes over the socket of a shell. */
export interface RunnerShells {
  /** Throws `not_found` where this runner is not asked for the shell. */
  runnerFor(runner: ConnectedRunner, shellId: string): Promise<(socket: WebSocket) => void>;
}

export function registerRunnerSocket(registry: UpgradeRegistry, deps: RunnerUpgradeDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: runnerMessageBytes,
    perMessageDeflate: false,
    ...pieces.runner,
    // An unknown sub-protocol is accepted only to be told 4406: clients do not see why a handshake failed.
    handleProtocols: (offered) =>
      offered.has(runnerSubprotocol) ? runnerSubprotocol : (offered.values().next().value ?? false),
  });
  const refuseEarly = (runnerId: string) => {
    const waitMs = deps.hub.waitMs(runnerId);
    if (waitMs === 0) return;
    deps.metrics.refused.inc({ why: "budget" });
    throw tooMany("This runner has sent too many messages.", waitMs);
  };
  const identify = createIdentify(deps, refuseEarly);
  registry.registerUpgrade(runnerConnectPath, { authentication: "own" }, async (upgrade) => {
    const runner = await identify(upgrade);
    const { req, socket, head, context } = upgrade;
    sockets.handleUpgrade(req, socket, head, (ws) => {
      if (runner.revoked) sendAway(ws, closeCodes.revoked, "this runner was removed");
      else deps.hub.accept(ws, runner, context.ipAddress);
    });
  });
  registerShellSocket(registry, deps, identify);
}

/** A runner opens one for each shell that it was asked for, beside its connection. */
function registerShellSocket(
  registry: UpgradeRegistry,
  { hub, shells }: RunnerUpgradeDeps,
  identify: ReturnType<typeof createIdentify>,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    // A frame with its kind.
    maxPayload: maxShellFrameBytes + 1,
    perMessageDeflate: false,
    ...pieces.viewer,
  });
  registry.registerUpgrade(`/api/v1${runnerShellPath}`, { authentication: "own" }, async (upgrade) => {
    const runner = await identify(upgrade);
    if (runner.revoked) throw new AppError("unauthorized");
    hub.chargeOpening(runner.id);
    const serve = await shells.runnerFor(runner, upgrade.params["shell"] ?? "");
    sockets.handleUpgrade(upgrade.req, upgrade.socket, upgrade.head, serve);
  });
}

function sendAway(ws: WebSocket, code: number, reason: string): void {
  // Without a listener an error of the socket would end the process.
  ws.on("error", () => undefined);
  cutOff(ws, code, reason);
}

/**
 * Whose credential it is. Throws `unauthorized`, or `rate_limit_exceeded` when an address tries too many, and what
 * `refuseEarly` throws: of a runner that was here before without a look into the database.
 */
function createIdentify(
  { connections, metrics }: RunnerUpgradeDeps,
  refuseEarly: (runnerId: string) => void,
) {
  const known = createLruMap<string>(remembered);
  const wrong = createLruMap<TokenBucket>(remembered);
  const turns = createTurns();

  /** Undefined where it is nobody's; counted then against where it came from. */
  async function find(credential: string | undefined, tries: TokenBucket) {
    const runner = credential && (await connections.find(hashCredential(credential)));
    if (!runner || runner.revoked) tries.take(1);
    return runner;
  }

  function refuseTooOften(tries: TokenBucket): void {
    if (tries.left() >= 1) return;
    metrics.refused.inc({ why: "too_often" });
    throw tooMany("Too many invalid runner credentials from this address.", tries.msUntil(1));
  }

  return async ({ req, context }: Upgrade): Promise<ConnectedRunner & { revoked: boolean }> => {
    const credential = /^Bearer (svc_runner_[\w-]{43})$/.exec(req.headers.authorization ?? "")?.[1];
    const key = hashCredential(credential ?? "").toString("base64");
    const knownId = known.peek(key);
    if (knownId !== undefined) refuseEarly(knownId);
    const block = addressBlock(context.ipAddress);
    const tries = wrong.get(block, () => createTokenBucket(wrongTries));
    // Unknown credentials one after the other; in parallel, all would be looked up before the first is known to be wrong.
    const runner =
      knownId !== undefined
        ? await find(credential, tries)
        : await turns.take(block, async () => {
            refuseTooOften(tries);
            return find(credential, tries);
          });
    if (!runner) {
      metrics.refused.inc({ why: "credential" });
      throw new AppError("unauthorized", { message: "A valid runner credential is required." });
    }
    if (runner.revoked) {
      known.forget(key);
      return runner;
    }
    known.get(key, () => runner.id);
    refuseEarly(runner.id);
    return runner;
  };
}

function tooMany(message: string, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return retryLater(`${message} Try again in ${seconds} s.`, seconds);
}
