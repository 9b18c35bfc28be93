/** Binds the operations on files that belong to texts. */
import {
  createAttachment,
  deleteAttachment,
  downloadAttachment,
} from "@forgeline/schemas/attachments/routes.ts";
import type { AttachmentService } from "../../../domains/collaboration/domain.ts";
import { uploadOf } from "../../http/upload-body.ts";
import { sendDownload } from "../artifacts/send-download.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerAttachmentRoutes(
  app: RouteBinder,
  { attachments }: { attachments: AttachmentService },
): void {
  app.bind(createAttachment, async ({ actor, query, raw: { req } }) => {
    const made = await attachments.create(actor, query, uploadOf(req));
    return { body: made, location: made.url };
  });
  app.bind(deleteAttachment, ({ actor, params }) => attachments.remove(actor, params));
  app.bind(downloadAttachment, async ({ actor, params, revalidate, raw }) =>
    sendDownload(await attachments.open(actor, params, revalidate), raw),
  );
}
