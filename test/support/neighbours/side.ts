/** An API server that shares disk and database with others and sees nothing else of them. */
import { randomInt } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import type { ApiServer } from "../api-server.ts";
import { noRateLimits } from "../no-rate-limits.ts";
import { startProgram, type Program } from "../program.ts";
import { layCable } from "./own-namespaces.ts";

export interface Side {
  name: string;
  program: Program;
  webUrl: string;
  /** Whether it is one of its processes, as the machine counts them. */
  has(pid: number): boolean;
  /** To all of its processes, as `docker pause` does. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Words for `git -c` by which a client gets there. */
  resolve: string;
  stop(): Promise<void>;
}

export interface SideOptions {
  name: string;
  /** Whose disk and database they share. */
  server: ApiServer;
  /** Where it finds Git. */
  path: string;
  /** For its log. */
  directory: string;
}

export async function startSide({ name, server, path, directory }: SideOptions): Promise<Side> {
  const cable = layCable(randomInt(16_384));
  const lead = async (address: URL) => {
    const led = new URL(address);
    led.port = String(await cable.lead(Number(address.port)));
    led.hostname = cable.machine;
    return led;
  };
  const database = await lead(new URL(server.config.database.url.reveal()));
  const temporal = await lead(new URL(`http://${server.config.temporal.address}`));
  const port = await freeLowPort();
  const program = startProgram({
    name,
    args: ["server/main.ts", "serve"],
    directory,
    wrapper: cable.wrapper,
    env: {
      ...noRateLimits,
      PATH: `${path}:/usr/sbin:/sbin`,
      FORGELINE_SERVER_NAME: name,
      FORGELINE_DATABASE_URL: database.href,
      TEMPORAL_ADDRESS: temporal.host,
      FORGELINE_LISTEN: "0.0.0.0",
      FORGELINE_HTTPS_PORT: String(port),
      FORGELINE_TLS_CERT_FILE: server.config.tls.certFile,
      FORGELINE_TLS_KEY_FILE: server.config.tls.keyFile,
      FORGELINE_DATA_DIR: server.dataDir,
    },
  });
  await cable.plugIn(program.pid());
  return {
    name,
    program,
    webUrl: `https://localhost:${port}`,
    resolve: `http.curloptResolve=localhost:${port}:${cable.program}`,
    has: (pid) => isIn(pid, namespaceOf(program)),
    signal(name) {
      const namespace = namespaceOf(program);
      for (const pid of readdirSync("/proc").map(Number)) if (isIn(pid, namespace)) signalIfThere(pid, name);
    },
    async stop() {
      await program.kill();
      cable.close();
    },
  };
}

const namespaceOf = (program: Program) => readlinkSync(`/proc/${program.pid()}/ns/pid_for_children`);

function isIn(pid: number, namespace: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === namespace;
  } catch {
    return false;
  }
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
