/** An address to which batches are posted (`docs/audit.md#streaming-the-log`). */
import type { Connections, PostResponse } from "../../../platform/outbound/connections.ts";
import { askedWait } from "../webhooks/asked-wait.ts";
import { problemSentence } from "../webhooks/problems.ts";
import type { Batch } from "./batch.ts";
import { answerMs, TargetProblem, type StreamTarget } from "./stream-target.ts";
import { posted } from "./posted.ts";

export interface HttpsSettings {
  url: string;
  /** In the order in which they are tried. */
  tokens: readonly [string, string?];
  /** Whose log it is: the name of an organization, or `instance`. */
  log: string;
}

const refusals = new Set([401, 403]);
/** No answer of a receiver matters but its status. */
const maxResponseBytes = 4 * 1024;

export function createHttpsTarget(connections: Connections, settings: HttpsSettings): StreamTarget {
  let [first, other] = settings.tokens;

  const post = (body: string, token: string, signal: AbortSignal): Promise<PostResponse> =>
    posted(connections, {
      url: settings.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Forgeline-Audit-Stream/1",
        "x-svc-audit-log": settings.log,
        authorization: `Bearer ${token}`,
      },
      body,
      maxResponseBytes,
      timeoutMs: answerMs,
      signal,
    });

  return {
    acceptsEach: true,
    async send({ lines }: Batch, signal) {
      const body = `{"events":[${lines.join(",")}]}`;
      let response = await post(body, first, signal);
      if (other !== undefined && refusals.has(response.status)) {
        const answered = await post(body, other, signal);
        if (!refusals.has(answered.status)) {
          // The receiver does not know the new one yet; it would refuse each request.
          [first, other] = [other, first];
          response = answered;
        }
      }
      if (response.status >= 200 && response.status < 300) return;
      throw new TargetProblem(problemSentence("status", response.status) ?? "", {
        askedMs: askedWait(response, new Date()),
      });
    },
    confirm: () => Promise.resolve(),
    close: () => connections.close(),
  };
}
