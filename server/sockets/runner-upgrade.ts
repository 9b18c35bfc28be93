/**
 * The door of the runner socket: a runner's credential as bearer (401 without one that is known), TLS only (the
 * upgrade registry sees to it), the sub-protocol checked with a close code that says why.
 */
import { closeCodes, runnerSubprotocol } from "@forgeline/schemas/runner/version.ts";
import { WebSocketServer } from "ws";
import type { Database } from "../db/database.ts";
import { findByCredential } from "../features/runners/connections.ts";
import { hashCredential } from "../features/runners/credential.ts";
import type { UpgradeRegistry } from "../http/upgrade.ts";
import { AppError } from "../platform/app-error.ts";
import type { RunnerHub } from "./runner-hub.ts";

export const runnerConnectPath = "/api/v1/runners/connect";
const maxFrameBytes = 2 * 1024 * 1024;

export function registerRunnerSocket(
  registry: UpgradeRegistry,
  deps: { db: Database; hub: RunnerHub },
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    // An unknown sub-protocol is accepted only to be told 4406: clients do not see why a handshake failed.
    handleProtocols: (offered) =>
      offered.has(runnerSubprotocol) ? runnerSubprotocol : (offered.values().next().value ?? false),
  });
  registry.registerUpgrade(runnerConnectPath, "own", async ({ req, socket, head, context }) => {
    const credential = /^Bearer (svc_runner_[\w-]{43})$/.exec(req.headers.authorization ?? "")?.[1];
    const runner = credential && (await findByCredential(deps.db, hashCredential(credential)));
    if (!runner) throw new AppError("unauthorized", { message: "A valid runner credential is required." });
    sockets.handleUpgrade(req, socket, head, (ws) => {
      if (runner.revoked) ws.close(closeCodes.revoked, "this runner was removed");
      else if (ws.protocol !== runnerSubprotocol)
        ws.close(closeCodes.no_common_protocol, `this server speaks the sub-protocol ${runnerSubprotocol}`);
      else deps.hub.accept(ws, runner, context.ipAddress);
    });
  });
}
