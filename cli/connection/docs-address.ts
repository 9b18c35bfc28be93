/** Where the documentation is that messages link to. Nothing is asked of the server. */
import { findConnection, type ConnectionFlags } from "./settings.ts";

/** Where `npm start` serves unless it is told otherwise. */
const usualUrl = "https://localhost:8443";

/** Of the server that commands talk to; works without any. */
export async function docsAddress(flags: ConnectionFlags): Promise<string> {
  const url = await findConnection(flags).then(
    (connection) => connection.url,
    () => usualUrl,
  );
  return `${url}/docs`;
}
