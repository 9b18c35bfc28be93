/** Puts together what attachments consist of. */
import type { AttachmentLimits } from "../../../config/attachments.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Authorizer } from "../../policy/domain.ts";
import type { DiscussionService } from "../discussions/service.ts";
import type { AttachmentBytes } from "./bytes.ts";
import type { Measure } from "./moves.ts";
import { createScan } from "./scan.ts";
import { createAttachmentService } from "./service.ts";

export function createAttachments(deps: {
  platform: Platform;
  bytes: AttachmentBytes;
  limits: AttachmentLimits;
  authorizer: Authorizer;
  discussions: Pick<DiscussionService, "requireWriter">;
  measure: Measure;
}) {
  const { platform, ...rest } = deps;
  const { db, addresses, logger } = platform;
  const scan = createScan(deps.limits.scan, logger);
  return createAttachmentService({ ...rest, db, addresses, scan });
}
