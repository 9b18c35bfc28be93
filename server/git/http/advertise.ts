/** The first answer of a Git exchange: which refs there are, or (protocol 2) only what the server can do. */
import { advertisement, type Capabilities } from "../capabilities.ts";
import { flushPacket, packet } from "../packet.ts";
import type { Git } from "../run-git.ts";
import type { GitService } from "./git-address.ts";

export type Advertise = (
  service: GitService,
  directory: string,
  protocol: string | undefined,
) => Promise<Buffer>;

export function createAdvertiser(git: Git, capabilities: Capabilities): Advertise {
  return async (service, directory, protocol) => {
    if (protocol === "version=2" && service === "upload-pack") return capabilities(directory);
    const refs = await advertisement(git, { service, directory, protocol });
    const header = `${packet(`# service=git-${service}\n`)}${flushPacket}`;
    return Buffer.concat([Buffer.from(header), refs]);
  };
}
