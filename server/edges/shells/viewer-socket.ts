/**
 * The upgrade of the viewer's socket of a shell. It is opened with a ticket only, which names the shell and is used up; the
 * permission is asked for again here and while the shell is open.
 */
import { openShell } from "@forgeline/schemas/shells/routes.ts";
import { maxShellFrameBytes, shellProtocol, shellSocketPath } from "@forgeline/schemas/shells/socket.ts";
import { WebSocketServer } from "ws";
import type { ShellService, TicketService } from "../../domains/pipelines/domain.ts";
import type { Authorizer } from "../../domains/policy/domain.ts";
import type { Actor } from "../../platform/access/actor.ts";
import { AppError } from "../../platform/app-error.ts";
import { pieces } from "../../platform/sockets/piece-limits.ts";
import type { Upgrade, UpgradeRegistry } from "../http/upgrade.ts";
import type { ShellAccess, ShellHub } from "./hub.ts";

const requirement = { access: openShell.access, scope: openShell.scope, archived: openShell.archived };

export interface ShellViewerDeps {
  shells: Pick<ShellService, "connectViewer" | "end">;
  hub: ShellHub;
  authorizer: Authorizer;
  logTickets: Pick<TicketService, "stillValid">;
}

export function registerShellViewerSocket(registry: UpgradeRegistry, deps: ShellViewerDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxShellFrameBytes,
    perMessageDeflate: false,
    ...pieces.viewer,
    // A ticket is never sent back.
    handleProtocols: (offered) => (offered.has(shellProtocol) ? shellProtocol : false),
  });
  registry.registerUpgrade(
    `/api/v1${shellSocketPath}`,
    { authentication: "actor", redeem: (upgrade) => redeem(deps, upgrade) },
    ({ req, socket, head, params }, actor) => {
      const shellId = params["shell"] ?? "";
      // What ends before there is a WebSocket frees its place.
      const left = () =>
        void deps.shells
          .end(shellId, { reason: "closed", message: "The shell was closed.", exitCode: null })
          .catch(() => undefined);
      socket.once("close", left);
      sockets.handleUpgrade(req, socket, head, (ws) => {
        socket.off("close", left);
        deps.hub.acceptViewer(ws, shellId, accessOf(deps, actor, params));
      });
    },
  );
}

/** Throws `unauthorized` without a ticket that opens this shell, and what the authorizer throws where its holder may not any more. */
async function redeem(deps: ShellViewerDeps, { req, params }: Upgrade): Promise<Actor> {
  const ticket = ticketOf(req.headers["sec-websocket-protocol"]);
  const shell = { shellId: params["shell"] ?? "", pipelineId: params["id"] ?? "" };
  const actor = ticket && (await deps.shells.connectViewer(ticket, shell));
  if (!actor)
    throw new AppError("unauthorized", { message: "The ticket is invalid or expired; request another one." });
  if (!(await accessOf(deps, actor, params).check())) {
    const message = "You may not have a shell here any more.";
    await deps.shells.end(shell.shellId, { reason: "permission", message, exitCode: null });
    throw new AppError("unauthorized", { message });
  }
  return actor;
}

function ticketOf(protocols: string | undefined): string | undefined {
  return protocols
    ?.split(",")
    .map((protocol) => /^ticket\.([\w-]{43})$/.exec(protocol.trim())?.[1])
    .find((ticket) => ticket !== undefined);
}

function accessOf(deps: ShellViewerDeps, actor: Actor, params: Record<string, string>): ShellAccess {
  const address = { owner: params["owner"] ?? "", name: params["repo"] ?? "" };
  return {
    credentialId: actor.tokenId ?? actor.sessionId,
    async check() {
      if (!(await deps.logTickets.stillValid(actor))) return false;
      try {
        await deps.authorizer.authorizeRepository(actor, requirement, address);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code !== "unavailable") return false;
        throw error;
      }
    },
  };
}
