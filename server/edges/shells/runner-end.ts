/** The runner's end of a shell: what the terminal shows goes to the viewer, and what was shown is recorded. */
import { RunnerShellMessage, shellFrameKinds } from "@forgeline/schemas/shells/socket.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import type { ShellEnd, ShellRecorder } from "../../domains/pipelines/domain.ts";
import { cutOff } from "../../platform/sockets/end-socket.ts";
import type { HubParts } from "./hub.ts";

const gone: ShellEnd = {
  reason: "runner_gone",
  message: "The connection to the runner has ended. The job may go on; open another shell.",
  exitCode: null,
};
const full: ShellEnd = {
  reason: "output_limit",
  message: "The shell has printed more than can be recorded.",
  exitCode: null,
};
const notRecorded: ShellEnd = {
  reason: "log_failed",
  message: "The shell could not be recorded.",
  exitCode: null,
};

export function serveRunner(
  hub: HubParts,
  { socket, shellId, recorder }: { socket: WebSocket; shellId: string; recorder: ShellRecorder },
): void {
  const endpoint = hub.open({ shellId, side: "runner", socket });
  // From now on: a server that closes learns only later that this socket has closed as well.
  const settle = hub.keepsWorking();
  let isOver = false;
  const over = async (how: ShellEnd): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await endpoint.drained();
    await recorder.end().catch((error: Error) => {
      hub.deps.logger.warn({ shell_id: shellId, error: error.message }, "the log of a shell is incomplete");
    });
    await hub.end(shellId, how);
    settle();
  };
  const record = async (bytes: Buffer): Promise<void> => {
    endpoint.hold();
    const isWritten = await recorder.write(bytes).catch(() => undefined);
    endpoint.release();
    if (isWritten === undefined) await over(notRecorded);
    else if (!isWritten) await over(full);
  };
  socket.on("message", (bytes: Buffer, isBinary) => {
    if (isOver) return;
    if (isBinary && bytes[0] === shellFrameKinds.screen)
      return endpoint.push({ isText: false, bytes: bytes.subarray(1) });
    if (isBinary && bytes[0] === shellFrameKinds.log) return void record(bytes.subarray(1));
    const message = isBinary ? undefined : read(bytes);
    if (!message) return cutOff(socket, closeCodes.bad_frame, "not a message of a shell");
    if (message.t === "ready") return endpoint.push({ isText: true, bytes: Buffer.from('{"t":"ready"}') });
    void over(endOf(message));
  });
  socket.once("close", () => void over(gone));
}

function endOf({ exitCode, message }: Extract<RunnerShellMessage, { t: "exited" }>): ShellEnd {
  const said =
    message ?? (exitCode === null ? "The shell has ended." : `The shell ended with exit code ${exitCode}.`);
  return { reason: "exited", message: said, exitCode };
}

function read(bytes: Buffer): RunnerShellMessage | undefined {
  try {
    return RunnerShellMessage.safeParse(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
