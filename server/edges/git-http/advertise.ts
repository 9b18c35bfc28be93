/** The first answer of a Git exchange: the list of refs, or (protocol 2) only the server's capabilities. */
import type { ServerResponse } from "node:http";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { advertisementStart, type Capabilities } from "../../platform/git/transfer/capabilities.ts";
import { firstText } from "../../platform/git/processes/first-text.ts";
import { flushPacket, packet } from "../../platform/git/transfer/packet.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import type { GitService } from "./git-address.ts";
import type { Pace } from "../../platform/git/processes/pace.ts";
import { send } from "../../platform/git/processes/client-pace.ts";
import { clientGone } from "./limit-time.ts";

export interface Advertisement {
  service: GitService;
  directory: string;
  protocol: string | undefined;
  /** Then Git is ended. */
  timeoutMs: number;
  res: ServerResponse;
  pace: Pace;
}

/**
 * Sends the complete answer, streaming the list of refs, which may be a million. Throws `unavailable` before anything is sent.
 */
export type Advertise = (advertisement: Advertisement) => Promise<void>;

export function createAdvertiser(deps: { git: Git; capabilities: Capabilities; logger: Logger }): Advertise {
  async function sendRefs({ res, pace, timeoutMs, ...asked }: Advertisement): Promise<void> {
    const signal = clientGone(res);
    const stdio = ["pipe", "pieces", "pipe"] as const;
    const child = await deps.git.start({ ...advertisementStart(asked), stdio, signal, timeoutMs });
    child.stdin!.end();
    const problems = firstText(child.stderr!);
    const announcement = `${packet(`# service=git-${asked.service}\n`)}${flushPacket}`;
    await child.pieces!((piece) => {
      if (!res.headersSent) res.write(announcement);
      return send({ res, pace, gone: signal }, piece);
    });
    const exitCode = await child.closed;
    if (exitCode === 0) return void res.end();
    if (signal.aborted) return;
    const log = { exit_code: exitCode, stderr: problems() };
    deps.logger.warn(log, "Git ended early while it listed refs");
    if (!res.headersSent) throw new AppError("unavailable");
    // An incomplete list must not look complete.
    res.destroy();
  }

  return async (advertisement) => {
    const { service, directory, protocol, res } = advertisement;
    const isList = service === "receive-pack" || protocol !== "version=2";
    const body = isList ? undefined : await deps.capabilities(directory);
    res.setHeader("Content-Type", `application/x-git-${service}-advertisement`);
    if (isList) await sendRefs(advertisement);
    else res.end(body);
  };
}
