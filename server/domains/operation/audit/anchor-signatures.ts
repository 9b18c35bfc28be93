/** Signs all anchors with the key that is current now, so that an earlier one can be removed. */
import type { Database } from "../../../platform/db/database.ts";
import type { AnchorSigner } from "./anchors.ts";
import { listAfter, signAgain } from "./anchors.store.ts";

const batch = 1_000;

export async function signAllAgain(db: Database, signer: AnchorSigner): Promise<void> {
  for (let last = { chain: "", first: 0 }; ;) {
    const some = await listAfter(db, last, batch);
    for (const [chain, ofChain] of Map.groupBy(some, (anchor) => anchor.chain))
      await signAgain(
        db,
        chain,
        ofChain.map((anchor) => signer.sign(chain, anchor)),
      );
    const end = some.at(-1);
    if (!end) return;
    last = end;
  }
}
