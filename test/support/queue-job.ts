/** A job that waits for a runner, without a worker that would have queued it. */
import type { ApiServer, TestPerson } from "./api-server.ts";
import { withTexts } from "./text-database.ts";
import { insertAttempt } from "../integration/runner-hub/queued-attempt.ts";

/** In a new repository of the person; `labels` as the queue has them. */
export async function queueJob(server: ApiServer, person: TestPerson, labels: string[]): Promise<void> {
  const body = { name: "waits" };
  const { json } = await server.api("POST", "/repos", { token: person.token, body });
  const db = withTexts(server.container.platform.db);
  await insertAttempt(db, { repositoryId: json.id, userId: person.id, number: 1, labels, job: {} });
}
