/** Which statements requests lead to, with their values, found out by a server in this process beside those of the instance. */
import { join } from "node:path";
import { startApiServer } from "../test/support/api-server.ts";
import { markHeader, watchStatements, type SentQuery } from "../test/support/count-statements.ts";
import type { Bench } from "./scenario.ts";

export interface RecordedRead {
  /** Below `/api/v1`. */
  path: string;
  queries: readonly SentQuery[];
}

/** As they are once the server knows who asks. Rejects for a request that is refused. */
export async function recordReads(
  { instance }: Pick<Bench, "instance">,
  paths: readonly string[],
): Promise<RecordedRead[]> {
  const { database, directory, adminToken: token } = instance;
  const watch = watchStatements();
  const server = await startApiServer({ beside: { database, dataDir: join(directory, "data") } });
  try {
    const reads: RecordedRead[] = [];
    for (const path of paths) {
      for (const mark of ["first", path]) {
        const { status, text } = await server.api("GET", path, { token, headers: { [markHeader]: mark } });
        if (status !== 200) throw new Error(`${path}: HTTP ${status} ${text}`);
      }
      reads.push({ path, queries: watch.queriesOf(path) });
    }
    return reads;
  } finally {
    watch.stop();
    await server.stop();
  }
}
