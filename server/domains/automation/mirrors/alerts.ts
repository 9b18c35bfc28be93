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
  direction: "pull" | "push" | "fork";
  repositoryId: string;
  /** Of the other side. */
  url: string;
  /** Of its settings, below that of the repository. */
  page: string;
}

export interface MirrorAlertDeps {
  addresses: Addresses;
  notify(tx: Transaction, userId: string, notice: Notice): Promise<void>;
}

/** Sends a notice to everybody who may at least maintain the repository. `page`: below its address. */
export async function tellMaintainers(
  { addresses, notify }: MirrorAlertDeps,
  tx: Transaction,
  {
    repositoryId,
    page,
    notice,
  }: { repositoryId: string; page: string; notice(place: { name: string; address: string }): Notice },
): Promise<void> {
  for (const { name, user_id: userId } of await findMaintainers(tx, repositoryId))
    await notify(tx, userId, notice({ name, address: `${addresses.webUrl}/${name}/${page}` }));
}

export function createMirrorAlerts(deps: MirrorAlertDeps): MirrorAlerts {
  return {
    failing: (tx, mirror, { since, error }) =>
      tellMaintainers(deps, tx, {
        ...mirror,
        notice: ({ name, address }) => ({
          kind: "mirror_failing",
          subject: `${words[mirror.direction].what(name)} does not get updates any more`,
          paragraphs: [
            `since ${utc(since)} ${words[mirror.direction].failing(name, mirror.url)}. ${error}`,
            `It is tried again, less and less often. You will get one more mail when it works again. Its syncs: ${address}`,
          ],
        }),
      }),
    worksAgain: (tx, mirror, since) =>
      tellMaintainers(deps, tx, {
        ...mirror,
        notice: ({ name, address }) => ({
          kind: "mirror_works_again",
          subject: `${words[mirror.direction].what(name)} works again`,
          paragraphs: [
            `${words[mirror.direction].works(name, mirror.url)}, for the first time since ${utc(since)}.`,
            `Its syncs: ${address}`,
          ],
        }),
      }),
  };
}

const words = {
  pull: {
    what: (name: string) => `The mirror ${name}`,
    failing: (name: string, url: string) => `the mirror ${name} could not be synced with ${url}`,
    works: (name: string, url: string) => `the mirror ${name} was synced with ${url}`,
  },
  push: {
    what: (name: string) => `The push mirror of ${name}`,
    failing: (name: string, url: string) => `${name} could not be pushed to ${url}, or not all of it`,
    works: (name: string, url: string) => `${name} was pushed to ${url}`,
  },
  fork: {
    what: (name: string) => `The fork ${name}`,
    failing: (name: string, url: string) => `the fork ${name} could not be synced with ${url}`,
    works: (name: string, url: string) => `the fork ${name} was synced with ${url}`,
  },
};

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
