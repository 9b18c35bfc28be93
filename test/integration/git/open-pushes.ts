/** Settles pushes that were left open, at once: in place of a server's own push service, which waits for its time. */
import type { PushFollower } from "@forgeline/server/domains/hosting/pushes/push.ts";
import { createContentRules } from "@forgeline/server/domains/hosting/pushes/content-rules.ts";
import { createPushService, type PushService } from "@forgeline/server/domains/hosting/pushes/service.ts";
import type { ApiServer } from "../../support/api-server.ts";

export function settlerOf({ container }: ApiServer, follower: PushFollower): PushService {
  const { db, storage, presence, logger, git } = container.platform;
  const { refGuard } = container.hosting;
  const { keyHolders } = container.accounts;
  return createPushService({
    db,
    storage,
    presence,
    logger,
    refGuard,
    keyHolders,
    contentRules: createContentRules({ git, maxFileBytes: 1024 * 1024 }),
    maxRepositoryBytes: 1024 * 1024 * 1024,
    runGit: git.run,
    adoptFirstBranch: () => Promise.resolve([]),
    followers: () => [follower],
    settleAfterMs: 0,
    giveUpAfterMs: 0,
  });
}
