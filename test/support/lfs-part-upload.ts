/** An upload by hand that brings a part of its object, and waits. */
import { request } from "node:https";
import type { TestObject } from "./lfs-server.ts";

export interface PartUpload {
  /** Once there is an answer; rejects when the connection ends without one. */
  answer: Promise<{ status: number; retryAfter: string | undefined; message: string | undefined }>;
  send(from: number, to?: number): void;
  finish(): void;
  cut(): void;
}

/** Sends the first `bytes` of the object; `href` may be of another server than the batch. */
export function startPart(
  { ca }: { ca: string },
  href: string,
  { object, bytes }: { object: TestObject; bytes: number },
): PartUpload {
  const headers = { "Content-Length": String(object.size), "Content-Type": "application/octet-stream" };
  const call = request(href, { method: "PUT", ca, agent: false, headers });
  const answer = new Promise<Awaited<PartUpload["answer"]>>((resolve, reject) => {
    call.on("error", reject);
    call.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const { message } = JSON.parse(Buffer.concat(parts).toString()) as { message?: string };
        const retryAfter = response.headers["retry-after"];
        resolve({ status: response.statusCode ?? 0, retryAfter, message });
      });
    });
  });
  answer.catch(() => undefined);
  const send = (from: number, to = object.size) => void call.write(object.bytes.subarray(from, to));
  send(0, bytes);
  return {
    answer,
    send,
    finish: () => void call.end(object.bytes.subarray(bytes)),
    cut: () => void call.destroy(),
  };
}
