/** The Docker daemon of this machine: the one that `DOCKER_HOST` names, or else the first that answers. */
import { homedir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { dockerAddress } from "@forgeline/runner/docker-address.ts";
import { initProgram } from "@forgeline/runner/init/program.ts";
import { ExecProblem } from "./exec-problem.ts";

interface Tried {
  address: string;
  why: string;
}

/** Throws `ExecProblem` with what was tried. */
export async function connectDocker(env: NodeJS.ProcessEnv = process.env): Promise<Dockerode> {
  checkMachine();
  const named = env["DOCKER_HOST"];
  const tried: Tried[] = [];
  for (const address of named ? [named] : usualAddresses(env)) {
    const answer = await tryAddress(address);
    if (!("why" in answer)) return answer;
    tried.push(answer);
  }
  throw new ExecProblem(absence(tried), 1);
}

/** Jobs run below a program of our own, which exists for these machines. */
function checkMachine(): void {
  try {
    initProgram();
  } catch {
    throw new ExecProblem(
      `forgeline exec needs Linux on x86-64 or ARM64, and this is ${process.platform} on ${process.arch}. Run it inside a Linux machine on this one, for example of Lima, OrbStack or WSL 2.`,
      1,
    );
  }
}

function usualAddresses(env: NodeJS.ProcessEnv): string[] {
  const own = env["XDG_RUNTIME_DIR"];
  const rootless = own ? [join(own, "docker.sock")] : [];
  const desktop = join(homedir(), ".docker/run/docker.sock");
  return ["/var/run/docker.sock", ...rootless, desktop].map((path) => `unix://${path}`);
}

async function tryAddress(address: string): Promise<Dockerode | Tried> {
  try {
    // What another client of Docker understands, such as ssh://, Dockerode reads from the environment by itself.
    const docker = /^(unix|tcp):/.test(address) ? new Dockerode(dockerAddress(address)) : new Dockerode();
    await docker.ping();
    return docker;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { address, why: code ?? message };
  }
}

function absence(tried: readonly Tried[]): string {
  const places = tried.map(({ address, why }) => `${address} (${why})`).join(", ");
  const isRefused = tried.some(({ why }) => why === "EACCES");
  const advice = isRefused
    ? 'Your user may not use it: add it to the group "docker" and log in again, or use rootless Docker.'
    : "Is it installed and running? Another address goes into DOCKER_HOST.";
  return `Docker does not answer: ${places}. ${advice}`;
}
