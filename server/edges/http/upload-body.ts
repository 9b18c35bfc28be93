/** The body of an upload, with a limit for slow senders, because an upload blocks its object for others. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../../platform/app-error.ts";
import { minUploadBytes, uploadIdleMs } from "../../domains/hosting/domain.ts";

/** The connection stays open for the answer. Throws `bad_request` if the body stalls or ends early. */
export function bodyOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  return throwWhenIdle(req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>);
}

/** A file that is the whole body, with its size as the client says it; undefined: not said. As `bodyOf`. */
export function uploadOf(req: IncomingMessage): {
  bytes: AsyncGenerator<Buffer>;
  sizeBytes: number | undefined;
} {
  const length = req.headers["content-length"];
  return { bytes: bodyOf(req), sizeBytes: length === undefined ? undefined : Number(length) };
}

/** Only time spent waiting for the client counts: a slow store is not its fault. */
export async function* throwWhenIdle(source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let [waitedMs, came] = [0, 0];
  for (;;) {
    const since = performance.now();
    const next = await withTimeout(source.next(), uploadIdleMs - waitedMs);
    if (next.done === true) return;
    waitedMs += performance.now() - since;
    came += next.value.length;
    if (came >= minUploadBytes) [waitedMs, came] = [0, 0];
    yield next.value;
  }
}

async function withTimeout<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = `Almost no data was received for ${uploadIdleMs / 1000} seconds.`;
  const timer = setTimeout(() => late.reject(new AppError("bad_request", { message })), patienceMs);
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", { message: "The body ended early.", cause: error });
  } finally {
    clearTimeout(timer);
  }
}
