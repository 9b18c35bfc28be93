/** What protocol 2 announces at first. It depends on Git and our configuration alone, so one start of Git serves for all. */
import type { Git } from "./run-git.ts";

export type Capabilities = (directory: string) => Promise<Buffer>;

export function createCapabilities(git: Git): Capabilities {
  let capabilities: Promise<Buffer> | undefined;
  return (directory) => {
    capabilities ??= advertisement(git, { service: "upload-pack", directory, protocol: "version=2" });
    capabilities.catch(() => (capabilities = undefined));
    return capabilities;
  };
}

/** How Git begins an exchange: with its refs, or under protocol 2 with what it can do. */
export async function advertisement(
  git: Git,
  asked: { service: "upload-pack" | "receive-pack"; directory: string; protocol: string | undefined },
): Promise<Buffer> {
  const { service, directory, protocol } = asked;
  const { stdout } = await git.run({
    directory,
    // By the same word as where the push is taken: Git binds what certificates must name to it.
    args: [service, "--stateless-rpc", "--http-backend-info-refs", "."],
    takesCertificates: service === "receive-pack",
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
    maxOutputBytes: 256 * 1024 * 1024,
  });
  return stdout;
}
