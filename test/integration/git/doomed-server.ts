/** A server of its own process that kills itself at a named point of a push. */
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import type { ApiServer } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { startProgram, type Program } from "../../support/program.ts";
import { addressWithToken, type GitClient } from "./git-client.ts";

export interface DoomedServer {
  webUrl: string;
  sshPort: number;
  program: Program;
}

export interface DoomedServerParts {
  server: ApiServer;
  git: GitClient;
  token: string;
  /** Where it finds Git. */
  path?: string | undefined;
}

/** Serves the same database and repositories as `server`, until it gets to the point. */
export async function startDoomedServer(
  { server, git, token, path = process.env["PATH"] }: DoomedServerParts,
  point: CrashPoint,
): Promise<DoomedServer> {
  const port = await freeLowPort();
  const sshPort = await freeLowPort();
  const program = startProgram({
    name: `server-${point}`,
    args: ["server/main.ts", "serve"],
    directory: git.home,
    env: {
      PATH: path,
      FORGELINE_DATABASE_URL: server.config.database.url.reveal(),
      TEMPORAL_ADDRESS: server.config.temporal.address,
      FORGELINE_HTTPS_PORT: String(port),
      FORGELINE_SSH_PORT: String(sshPort),
      FORGELINE_TLS_CERT_FILE: server.config.tls.certFile,
      FORGELINE_TLS_KEY_FILE: server.config.tls.keyFile,
      FORGELINE_DATA_DIR: server.dataDir,
      FORGELINE_CRASH_AT: point,
    },
  });
  const webUrl = `https://localhost:${port}`;
  const ready = ["-c", "http.lowSpeedTime=5", "ls-remote", addressWithToken(webUrl, "ada/none", token)];
  await eventually(async () => (await git.run(ready)).stderr.includes("not found"), { timeoutMs: 40_000 });
  return { webUrl, sshPort, program };
}
