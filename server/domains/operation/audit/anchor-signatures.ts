/** Signs all anchors with the key that is current now, so that an earlier one can be removed. */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { AnchorSigner } from "./anchors.ts";
import { listAfter, signAgain } from "./anchors.store.ts";
import { lockExpiry } from "./expiry.store.ts";

const batch = 1_000;

interface Deps {
  db: Database;
  signer: AnchorSigner;
  logger: Logger;
}

/** One that no key of ours has signed stays as it is, for whoever verifies. */
export async function signAllAgain(deps: Deps): Promise<void> {
  for (let place: Place | undefined = { chain: "", first: 0 }; place;) place = await signBatch(deps, place);
}

interface Place {
  chain: string;
  first: number;
}

/** Behind a place; gives the last one, or undefined where none is left. Meanwhile nobody makes anchors with another key. */
function signBatch({ db, signer, logger }: Deps, place: Place): Promise<Place | undefined> {
  return db.transaction(async (tx) => {
    await lockExpiry(tx);
    const some = await listAfter(tx, place, batch);
    for (const [chain, ofChain] of Map.groupBy(some, (anchor) => anchor.chain)) {
      const ours = ofChain.filter((anchor) => signer.proves(chain, anchor));
      if (ours.length < ofChain.length) logger.error({ chain }, "an anchor of the audit log is not ours");
      const signed = ours.map((anchor) => ({
        first: anchor.first,
        before: anchor.signature,
        after: signer.sign(chain, anchor).signature,
      }));
      await signAgain(tx, chain, signed);
    }
    return some.at(-1);
  });
}
