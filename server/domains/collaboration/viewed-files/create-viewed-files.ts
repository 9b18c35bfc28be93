/** Wires what users have seen of merge requests. */
import type { Platform } from "../../../platform/platform.ts";
import type { Hosting } from "../../hosting/domain.ts";
import type { MergeRequestService } from "../merge-requests/service.ts";
import { createChangesSince } from "./changes-since.ts";
import { createHeads } from "./heads.ts";
import { createViewedFileService } from "./service.ts";

export interface ViewedFileParts {
  platform: Platform;
  hosting: Pick<Hosting, "commits" | "changedFiles">;
  mergeRequests: Pick<MergeRequestService, "get">;
}

export function createViewedFiles({ platform, hosting, mergeRequests }: ViewedFileParts) {
  const heads = createHeads({ ...platform, commits: hosting.commits });
  const shared = { ...platform, heads, mergeRequests };
  return {
    viewedFiles: createViewedFileService(shared),
    changesSince: createChangesSince({ ...shared, changedFiles: hosting.changedFiles }),
  };
}
