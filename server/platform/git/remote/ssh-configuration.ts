/**
 * The configuration with which `ssh` dials one source: one address, one key, one host key, nothing of the machine's. See
 * ssh_config(5).
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface SshAccess {
  /** Checked; the only one that is dialled. */
  address: string;
  privateKey: string | null;
  hostKey: string | null;
}

/** Under which the host key is known. */
const alias = "source";

/** Writes the files that `ssh` needs into a directory that only we can read; the path of the configuration. */
export async function writeSshConfiguration(directory: string, access: SshAccess): Promise<string> {
  const privately = { mode: 0o600 };
  const paths = pathsIn(directory);
  await writeFile(paths.key, access.privateKey ?? "", privately);
  await writeFile(paths.knownHosts, access.hostKey === null ? "" : `${alias} ${access.hostKey}\n`, privately);
  await writeFile(paths.configuration, configuration(paths, access), privately);
  return paths.configuration;
}

/** The host key that was shown, for example `ssh-ed25519 AAAA…`; null where there was no connection. */
export async function readHostKey(directory: string): Promise<string | null> {
  const text = await readFile(pathsIn(directory).knownHosts, "utf8");
  const [, kind, key] = text.split("\n")[0]?.split(" ") ?? [];
  return kind && key ? `${kind} ${key}` : null;
}

function pathsIn(directory: string) {
  return {
    configuration: join(directory, "ssh_config"),
    key: join(directory, "key"),
    knownHosts: join(directory, "known_hosts"),
  };
}

function configuration(paths: ReturnType<typeof pathsIn>, { address, hostKey }: SshAccess): string {
  const quoted = (path: string) => `"${path.replaceAll("%", "%%")}"`;
  const options: [string, string][] = [
    ["HostName", address],
    ["HostKeyAlias", alias],
    ["User", "git"],
    ["UserKnownHostsFile", quoted(paths.knownHosts)],
    ["GlobalKnownHostsFile", "/dev/null"],
    ["StrictHostKeyChecking", hostKey === null ? "accept-new" : "yes"],
    ["HashKnownHosts", "no"],
    ["CheckHostIP", "no"],
    ["UpdateHostKeys", "no"],
    ["VerifyHostKeyDNS", "no"],
    ["IdentityFile", quoted(paths.key)],
    ["IdentitiesOnly", "yes"],
    ["IdentityAgent", "none"],
    ["PreferredAuthentications", "publickey"],
    ["BatchMode", "yes"],
    ["ProxyCommand", "none"],
    ["ControlMaster", "no"],
    ["ControlPath", "none"],
    ["ClearAllForwardings", "yes"],
    ["ForwardAgent", "no"],
    ["PermitLocalCommand", "no"],
    ["RequestTTY", "no"],
    ["ConnectTimeout", "10"],
    ["ServerAliveInterval", "15"],
    ["ServerAliveCountMax", "4"],
    ["LogLevel", "ERROR"],
  ];
  return `Host *\n${options.map(([name, value]) => `  ${name} ${value}\n`).join("")}`;
}
