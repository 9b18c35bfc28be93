/**
 * A shell with a terminal in the container of a job. The daemon does not end what it started when the connection goes, so the shell
 * says its process id first, and its whole session is ended by that.
 */
import { Transform, type Duplex, type Readable } from "node:stream";
import type Dockerode from "dockerode";
import type { EngineShell, ShellCommand } from "../engine.ts";
import { execInContainer } from "./exec.ts";

const mark = "\u001E";
const start = `printf '${mark}%s${mark}' "$$"; if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi`;
/** The process id and its marks. */
const prefixMax = 32;

/** Of each process in a container: state, parent, group, session, terminal. A process that the daemon put there has no parent. */
const endSessions = (condition: string) => `
own=$1
for signal in HUP KILL; do
  for directory in /proc/[0-9]*; do
    process=\${directory#/proc/}
    { read -r line < "$directory/stat"; } 2>/dev/null || continue
    set -- \${line##*) }
    if [ "$process" != "$$" ] && [ "$process" != 1 ] && ${condition}; then kill -$signal "$process" 2>/dev/null; fi
  done
  if [ $signal = HUP ]; then sleep 0.2 2>/dev/null; fi
done
exit 0`;
const endOwn = endSessions(`[ "$4" = "$own" ]`);
const endLeft = endSessions(
  `[ "$5" != 0 ] && { [ "$2" = 0 ] || case " $own " in *" $4 "*) true ;; *) false ;; esac; }`,
);
/** Sessions whose first process the daemon put there, with a terminal. */
const listLeft = `
for directory in /proc/[0-9]*; do
  { read -r line < "$directory/stat"; } 2>/dev/null || continue
  set -- \${line##*) }
  if [ "$2" = 0 ] && [ "$5" != 0 ]; then echo "$4"; fi
done
exit 0`;
const endMs = 30_000;

export async function openDockerShell(
  docker: Dockerode,
  containerId: string,
  { env, columns, rows }: ShellCommand,
): Promise<EngineShell> {
  const container = docker.getContainer(containerId);
  const exec = await container.exec({
    Cmd: ["sh", "-c", start],
    Tty: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    WorkingDir: "/workspace",
    Env: Object.entries({ TERM: "xterm-256color", ...env }).map(([name, value]) => `${name}=${value}`),
  });
  const raw = await exec.start({ hijack: true, stdin: true, Tty: true });
  const resize = (w: number, h: number) => exec.resize({ h, w }).then(() => undefined);
  await resize(columns, rows).catch(() => undefined);
  const { output, processId } = withoutPrefix(raw);
  let ending: Promise<void> | undefined;
  return {
    output,
    input: raw,
    resize,
    exitCode: async () => (await exec.inspect()).ExitCode,
    end() {
      ending ??= endShell(docker, container, processId()).finally(() => raw.destroy());
      return ending;
    },
  };
}

async function endShell(
  docker: Dockerode,
  container: Dockerode.Container,
  processId: string | undefined,
): Promise<void> {
  if (processId === undefined) return;
  const command = ["sh", "-c", endOwn, "sh", processId];
  await execInContainer(docker, { container, command, user: null, signal: AbortSignal.timeout(endMs) });
}

/** Shells that an agent before this one left. */
export async function endLeftShells(docker: Dockerode, containerId: string): Promise<void> {
  const container = docker.getContainer(containerId);
  const signal = AbortSignal.timeout(endMs);
  const { text } = await execInContainer(docker, {
    container,
    command: ["sh", "-c", listLeft],
    user: null,
    signal,
  });
  const sessions = text
    .replaceAll(/[^\d\n]/g, "")
    .split("\n")
    .filter(Boolean)
    .join(" ");
  if (sessions === "") return;
  const command = ["sh", "-c", endLeft, "sh", sessions];
  await execInContainer(docker, { container, command, user: null, signal });
}

/** What the terminal shows without the process id, which is known once the first of it has come. */
function withoutPrefix(raw: Duplex): { output: Readable; processId: () => string | undefined } {
  let processId: string | undefined;
  let head: Buffer | null = Buffer.alloc(0);
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head === null) return done(null, chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(mark, 1);
      if (end === -1 && head.length < prefixMax) return done();
      const rest = end === -1 ? head : head.subarray(end + 1);
      if (end !== -1) processId = /\d+/.exec(head.subarray(0, end).toString())?.[0];
      head = null;
      done(null, rest);
    },
  });
  raw.once("error", () => output.end());
  raw.once("close", () => output.end());
  raw.pipe(output);
  return { output, processId: () => processId };
}
