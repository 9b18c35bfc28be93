/** Tells those who can set it right that a mirror fails, once in each outage, and that it works again. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Notice } from "../../accounts/domain.ts";
import { findMaintainers } from "./alerts.store.ts";

/** After so many failures in a row. */
export const alertAfter = 3;

export interface MirrorAlerts {
  failing(tx: Transaction, mirror: AlertedMirror, outage: { since: Date; error: string }): Promise<void>;
  worksAgain(tx: Transaction, mirror: AlertedMirror, since: Date): Promise<void>;
}

export interface AlertedMirror {
  repository_id: string;
  source_url: string;
}

export interface MirrorAlertDeps {
  addresses: Addresses;
  notify(tx: Transaction, userId: string, notice: Notice): Promise<void>;
}

export function createMirrorAlerts({ addresses, notify }: MirrorAlertDeps): MirrorAlerts {
  async function tell(
    tx: Transaction,
    { repository_id: id }: AlertedMirror,
    notice: (place: { name: string; page: string }) => Notice,
  ): Promise<void> {
    for (const { name, user_id: userId } of await findMaintainers(tx, id))
      await notify(tx, userId, notice({ name, page: `${addresses.webUrl}/${name}/settings/mirror` }));
  }
  return {
    failing: (tx, mirror, { since, error }) =>
      tell(tx, mirror, ({ name, page }) => ({
        kind: "mirror_failing",
        subject: `The mirror ${name} does not get updates any more`,
        paragraphs: [
          `since ${utc(since)} the mirror ${name} could not be synced with ${mirror.source_url}. ${error}`,
          `It is tried again, less and less often. You will get one more mail when it works again. Its syncs: ${page}`,
        ],
      })),
    worksAgain: (tx, mirror, since) =>
      tell(tx, mirror, ({ name, page }) => ({
        kind: "mirror_works_again",
        subject: `The mirror ${name} works again`,
        paragraphs: [
          `the mirror ${name} was synced with ${mirror.source_url}, for the first time since ${utc(since)}.`,
          `Its syncs: ${page}`,
        ],
      })),
  };
}

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
