/**
 * `ssh-audit` from PyPI finds nothing that it calls a failure: `node test/manual/ssh-audit.ts`, with a standing bed up. Not part of
 * `npm test`, which must not depend on PyPI; what is offered is asserted there. Makes a virtual environment and removes it.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "../support/api-server.ts";

const directory = await mkdtemp(join(tmpdir(), "forgeline-ssh-audit-"));
const server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
try {
  execFileSync("python3", ["-m", "venv", directory], { stdio: "inherit" });
  const program = join(directory, "bin", "ssh-audit");
  execFileSync(join(directory, "bin", "pip"), ["install", "-q", "ssh-audit==3.9.0"], { stdio: "inherit" });
  process.exitCode = await audit(program, server.sshPort);
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

/** The server runs in this process, so the program must not block it. */
async function audit(program: string, port: number): Promise<number> {
  const child = spawn(program, ["-b", "-n", "--skip-rate-test", "-p", String(port), "127.0.0.1"]);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  console.log(output);
  const failed = output.includes("[fail]") || !output.includes("(kex) curve25519-sha256");
  console.log(failed ? "ssh-audit finds failures" : "ssh-audit finds no failure");
  return failed ? 1 : 0;
}
