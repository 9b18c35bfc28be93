/**
 * Lets Git reach one remote repository and nothing else: the protocol of its address alone, no redirect, and no address but those that were
 * checked. Credentials are known to this process, or are in files that only we can read: never in arguments.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outbound } from "../../outbound/outbound.ts";
import { openHttpsRelay, type RelayProblem } from "./https-relay.ts";
import type { RemoteAccess, RemoteLogin, RemoteSource } from "./remote-source.ts";
import { createSshCommand, sshProgram, type SshCommand } from "./ssh-command.ts";
import { readHostKey, writeSshConfiguration } from "./ssh-configuration.ts";

export interface Remote {
  url: string;
  /** Of Git, before its command. */
  options: readonly string[];
  env: Readonly<Record<string, string>>;
  /** That of `ssh`, after a connection; null otherwise. */
  hostKey(): Promise<string | null>;
  /** Of an `ssh` server; without one every command fails. */
  command: SshCommand;
  /** What an `https` server answered that was not Git's protocol. */
  problem(): RelayProblem | undefined;
  /** Removes what it needed. */
  close(): Promise<void>;
}

type RemoteOutbound = Pick<Outbound, "addressesOf" | "exchange">;

/** Throws OutboundError for a host without an address that may be dialled. */
export async function openRemote(outbound: RemoteOutbound, access: RemoteAccess): Promise<Remote> {
  const { source, login } = access;
  const addresses = (await outbound.addressesOf(source.host)).map(({ address }) => address);
  if (source.protocol === "https") return overHttps(outbound, access);
  if (source.protocol === "git") return overGit(source, addresses);
  return overSsh(source, addresses, login);
}

const nothing = {
  options: [],
  hostKey: () => Promise.resolve(null),
  command: () => Promise.resolve(null),
  problem: () => undefined,
  close: () => Promise.resolve(),
};

async function overHttps(outbound: RemoteOutbound, access: RemoteAccess): Promise<Remote> {
  const { url, header, problem, close } = await openHttpsRelay(outbound, access);
  return {
    ...nothing,
    url,
    options: [
      "-c",
      "http.followRedirects=false",
      "-c",
      "http.proxy=",
      "--config-env=http.extraHeader=FORGELINE_RELAY_HEADER",
    ],
    env: { GIT_ALLOW_PROTOCOL: "http", FORGELINE_RELAY_HEADER: header },
    problem,
    close,
  };
}

async function overSsh(
  source: RemoteSource,
  addresses: readonly string[],
  login: RemoteLogin,
): Promise<Remote> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-source-"));
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    const [address = ""] = addresses;
    const configuration = await writeSshConfiguration(directory, { ...login, address });
    return {
      ...nothing,
      url: source.url,
      env: {
        GIT_ALLOW_PROTOCOL: "ssh",
        GIT_SSH: sshProgram,
        GIT_SSH_VARIANT: "ssh",
        FORGELINE_SSH_CONFIG: configuration,
      },
      hostKey: () => readHostKey(directory),
      command: createSshCommand(source, configuration),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The protocol has no encryption and no name in a certificate, so the address itself is dialled; the server is told the name. */
function overGit({ url, host, port }: RemoteSource, addresses: readonly string[]): Remote {
  const [address = ""] = addresses;
  const at = (name: string) => `${bracketed(name)}${port === null ? "" : `:${port}`}`;
  return {
    ...nothing,
    url: `git://${at(address)}${new URL(url).pathname}`,
    env: { GIT_ALLOW_PROTOCOL: "git", GIT_OVERRIDE_VIRTUAL_HOST: at(host) },
  };
}

function bracketed(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
