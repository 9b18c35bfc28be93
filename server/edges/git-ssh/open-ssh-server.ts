/** The SSH server of a container, where the configuration has one. */
import type { EdgeContainer } from "../../container.ts";
import { createSshServer, type SshServer } from "./ssh-server.ts";
import { defaultLimits, type SshLimits } from "./limits.ts";

export function openSshServer(
  container: EdgeContainer,
  limits: Partial<SshLimits> = {},
): SshServer | undefined {
  const { config, platform, operation, accounts, hosting } = container;
  const { sshHostKeys: hostKeys } = platform;
  if (!hostKeys) return undefined;
  const { idleMs, wholeMs: commandMs, pace } = config.gitExchanges;
  const { inAll: maxConnections, ofAddress: maxOfAddress } = config.sshConnections;
  return createSshServer({
    ...platform,
    ...platform.exchanges,
    ...operation,
    ...accounts,
    ...hosting,
    hostKeys,
    limits: { ...defaultLimits, maxConnections, maxOfAddress, idleMs, commandMs, pace, ...limits },
  });
}
