/** A command of the engine's own inside a running container; what it prints comes back, cut at 64 KiB. */
import { PassThrough } from "node:stream";
import type Dockerode from "dockerode";

export interface ExecRequest {
  container: Dockerode.Container;
  command: readonly string[];
  user: string | null;
  signal: AbortSignal;
}

export async function execInContainer(
  docker: Dockerode,
  request: ExecRequest,
): Promise<{ code: number; text: string }> {
  const exec = await request.container.exec({
    Cmd: [...request.command],
    AttachStdout: true,
    AttachStderr: true,
    ...(request.user === null ? {} : { User: request.user }),
  });
  request.signal.throwIfAborted();
  const stream = await exec.start({ hijack: true, stdin: false });
  const abort = (): void => {
    stream.destroy();
  };
  request.signal.addEventListener("abort", abort);
  // What was given up while the daemon was asked tells nobody any more.
  if (request.signal.aborted) abort();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const output = new PassThrough();
  output.on("data", (chunk: Buffer) => {
    if (sizeBytes < 65_536) chunks.push(chunk);
    sizeBytes += chunk.length;
  });
  docker.modem.demuxStream(stream, output, output);
  try {
    await new Promise<void>((resolve, reject) => {
      stream.on("end", resolve);
      stream.on("close", resolve);
      stream.on("error", reject);
      stream.resume();
    });
  } finally {
    request.signal.removeEventListener("abort", abort);
  }
  request.signal.throwIfAborted();
  const { ExitCode } = await exec.inspect();
  return { code: ExitCode ?? -1, text: Buffer.concat(chunks).toString("utf8") };
}
