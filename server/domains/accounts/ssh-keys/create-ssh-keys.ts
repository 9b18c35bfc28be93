/** All that is about SSH keys: people's, repositories', and who a key stands for. */
import { createDeployKeyService } from "../../hosting/deploy-keys/service.ts";
import { createKeyHolders } from "./holders.ts";
import { createSshKeyService } from "./service.ts";

type Deps = Parameters<typeof createSshKeyService>[0] & Parameters<typeof createKeyHolders>[0];

export function createSshKeys(deps: Deps) {
  return {
    sshKeys: createSshKeyService(deps),
    deployKeys: createDeployKeyService(deps),
    keyHolders: createKeyHolders(deps),
  };
}
