/** The start of an exchange: Git's refs or, in protocol 2, its capabilities. */
import type { Git, GitStart } from "../processes/run-git.ts";

export type Capabilities = (directory: string) => Promise<Buffer>;

/** What protocol 2 announces. It depends on Git and our configuration alone, so one start of Git serves for all. */
export function createCapabilities(git: Git): Capabilities {
  let capabilities: Promise<Buffer> | undefined;
  return (directory) => {
    const start = advertisementStart({ service: "upload-pack", directory, protocol: "version=2" });
    capabilities ??= git.run(start).then(({ stdout }) => stdout);
    capabilities.catch(() => (capabilities = undefined));
    return capabilities;
  };
}

export function advertisementStart(asked: {
  service: "upload-pack" | "receive-pack";
  directory: string;
  protocol: string | undefined;
}): GitStart {
  const { service, directory, protocol } = asked;
  return {
    directory,
    // By the same word as where the push is taken: Git binds what certificates must name to it.
    args: [service, "--stateless-rpc", "--http-backend-info-refs", "."],
    takesCertificates: service === "receive-pack",
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
  };
}
