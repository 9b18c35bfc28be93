/** A file from the API that goes on where its connection broke. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "./api.ts";
import type { Connection } from "./settings.ts";
import { openStream, type StreamRequest } from "./stream.ts";

/** Without anything new between them, about half a minute. */
const triesMax = 6;
const firstDelayMs = 500;

/** As `openStream`. The content fails with the last problem once it has been tried often enough, or where the file is another one now. */
export async function openResumed(
  connection: Connection,
  request: StreamRequest,
  absent: string,
): Promise<Readable> {
  const first = await openStream(connection, request, absent);
  const open = (headers: Record<string, string>) => openStream(connection, { ...request, headers }, absent);
  return Readable.from(wholeContent(first, open), { objectMode: false });
}

async function* wholeContent(
  first: IncomingMessage,
  open: (headers: Record<string, string>) => Promise<IncomingMessage>,
): AsyncGenerator<Buffer> {
  const { etag } = first.headers;
  let answer: IncomingMessage | undefined = first;
  let received = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      answer ??= await open({ range: `bytes=${received}-`, "if-range": etag ?? "" });
      if (received > 0 && answer.statusCode !== 206) throw new ChangedFile();
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        received += chunk.length;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (etag === undefined || failures >= triesMax || isFinal(error)) throw error;
    }
    answer = undefined;
    await delay(firstDelayMs * 2 ** failures);
  }
}

class ChangedFile extends Error {
  constructor() {
    super("the connection broke, and the file is another one now; try again");
  }
}

/** What the server refuses it refuses again; when it is about to end, another one may answer. */
function isFinal(error: unknown): boolean {
  return error instanceof ChangedFile || (error instanceof ApiError && error.status < 500);
}
