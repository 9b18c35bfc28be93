/**
 * What jobs did to the world outside: a small HTTP server on the Docker gateway that writes down each request in the
 * order of arrival. It knows nothing of Forgeline, so it sees a step that was started twice whatever the records say.
 */
import { createServer } from "node:http";

export interface Effect {
  kind: string;
  pipelineId: string;
  job: string;
  attempt: number;
}

export interface EffectRecorder {
  /** As jobs reach it: `URL/<kind>/<pipeline>/<job>/<attempt>`. */
  url: string;
  of(pipelineId: string): Effect[];
  /** Of all runs, in the order of arrival. */
  all(): readonly Effect[];
  close(): Promise<void>;
}

/** `address` is where the host is reached from containers. */
export async function startEffectRecorder(address: string): Promise<EffectRecorder> {
  const effects: Effect[] = [];
  const server = createServer((request, response) => {
    const [, kind = "", pipelineId = "", job = "", attempt] = (request.url ?? "").split("/");
    effects.push({ kind, pipelineId, job, attempt: Number(attempt) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const at = server.address();
  return {
    url: `http://host.docker.internal:${at && typeof at === "object" ? at.port : 0}`,
    all: () => effects,
    of: (pipelineId) => effects.filter((effect) => effect.pipelineId === pipelineId),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
