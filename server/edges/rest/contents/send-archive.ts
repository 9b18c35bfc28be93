/** The download of a whole tree. */
import type { ArchiveFormat } from "../../../platform/git/objects/archive.ts";
import { createClientPace } from "../../../platform/git/processes/client-pace.ts";
import type { Archive } from "../../../domains/hosting/domain.ts";
import { sentByHandler } from "../route-binder.ts";
import { sendOutput, type Download } from "./send-stream.ts";

const contentTypes: Record<ArchiveFormat, string> = { "tar.gz": "application/gzip", zip: "application/zip" };

/** `HEAD` costs no process. Throws as `Archive.start`. */
export async function sendArchive(
  archive: Archive,
  format: ArchiveFormat,
  { req, res, limits, signal }: Download,
): Promise<typeof sentByHandler> {
  const head = () => {
    res.setHeader("Content-Type", contentTypes[format]);
    res.setHeader("Content-Disposition", `attachment; filename="${archive.name}.${format}"`);
  };
  if (req.method === "HEAD") {
    head();
    res.end();
    return sentByHandler;
  }
  const { pace, client } = createClientPace(res, limits);
  return sendOutput(await archive.start(client, signal), { res, pace }, head);
}
