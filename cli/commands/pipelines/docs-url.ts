/** Where the documentation is that messages point to. */
import { findConnection } from "../../connection/settings.ts";
import type { GlobalFlags } from "../../context.ts";

/** Where `npm start` serves unless it is told otherwise. */
const usualUrl = "https://localhost:8443";

/** Nothing is asked of the server: it only stands in links. */
export async function docsUrlFor(flags: GlobalFlags): Promise<string> {
  const url = await findConnection(flags).then(
    (connection) => connection.url,
    () => usualUrl,
  );
  return `${url}/docs`;
}
