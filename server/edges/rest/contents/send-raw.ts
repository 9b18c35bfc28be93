/** Sends the bytes of a file, in a form that no browser runs. */
import type { Response } from "express";
import { createClientPace } from "../../../platform/git/processes/client-pace.ts";
import { downloadType, rawContentType, type RawFile } from "../../../domains/hosting/domain.ts";
import { sentByHandler } from "../route-binder.ts";
import { sendOutput, type Download } from "./send-stream.ts";

/** A small file at once, a larger one at the pace of the client. */
export async function sendRaw(file: RawFile, download: Download): Promise<typeof sentByHandler> {
  const { req, res } = download;
  res.setHeader("Content-Length", file.sizeBytes);
  if (!file.bytes) return sendLarge(file, download);
  setContentType(res, file.bytes);
  res.end(req.method === "HEAD" ? undefined : file.bytes);
  return sentByHandler;
}

async function sendLarge(file: RawFile, download: Download): Promise<typeof sentByHandler> {
  const { req, res, limits, signal } = download;
  const { pace, client } = createClientPace(res, limits);
  const child = await file.start(client, signal);
  if (req.method !== "HEAD")
    return sendOutput(child, { res, pace }, (beginning) => setContentType(res, beginning));
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    setContentType(res, chunk);
    break;
  }
  child.kill();
  res.end();
  return sentByHandler;
}

function setContentType(res: Response, beginning: Buffer): void {
  const type = rawContentType(beginning);
  res.setHeader("Content-Type", type);
  if (type === downloadType) res.setHeader("Content-Disposition", "attachment");
}
