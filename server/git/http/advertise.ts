/** The first answer of a Git exchange: which refs there are, or (protocol 2) only what the server can do. */
import type { Git } from "../run-git.ts";
import type { GitService } from "./git-address.ts";

export type Advertise = (
  service: GitService,
  directory: string,
  protocol: string | undefined,
) => Promise<Buffer>;

export function createAdvertiser(git: Git): Advertise {
  // What protocol 2 announces depends on Git and our configuration alone, so one process start serves for all.
  let capabilities: Promise<Buffer> | undefined;

  async function ask(service: GitService, directory: string, protocol: string | undefined) {
    const result = await git.run({
      directory,
      args: [service, "--stateless-rpc", "--http-backend-info-refs", directory],
      env: protocol ? { GIT_PROTOCOL: protocol } : {},
      maxOutputBytes: 256 * 1024 * 1024,
    });
    return result.stdout;
  }

  return async (service, directory, protocol) => {
    if (protocol === "version=2" && service === "upload-pack") {
      capabilities ??= ask(service, directory, protocol);
      capabilities.catch(() => (capabilities = undefined));
      return capabilities;
    }
    const refs = await ask(service, directory, protocol);
    const header = `# service=git-${service}\n`;
    const length = (header.length + 4).toString(16).padStart(4, "0");
    return Buffer.concat([Buffer.from(`${length}${header}0000`), refs]);
  };
}
