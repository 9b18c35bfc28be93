/** The pace at which a client reads a response over HTTPS, or sends a request. */
import type { ServerResponse } from "node:http";
import { createPace, type Pace, type PaceLimits } from "./pace.ts";
import type { SlowClient } from "./slow-clients.ts";

export interface ClientPace {
  pace: Pace;
  /** Ends by cutting the connection, because an answer has already begun. */
  client: SlowClient;
}

export function createClientPace(res: ServerResponse, limits: PaceLimits): ClientPace {
  const pace = createPace(limits);
  return { pace, client: { behindMs: pace.behindMs, end: () => res.destroy() } };
}

/** Resolves when the piece has gone, or nobody waits for it any more. */
export async function send(
  { res, pace, gone }: { res: ServerResponse; pace: Pace; gone: AbortSignal },
  piece: Buffer,
): Promise<void> {
  if (gone.aborted) return;
  const taken = pace.wait();
  await new Promise<void>((resolve) => {
    const done = () => {
      gone.removeEventListener("abort", done);
      resolve();
    };
    gone.addEventListener("abort", done);
    res.write(piece, done);
  });
  taken();
  pace.moved(piece.length);
}
