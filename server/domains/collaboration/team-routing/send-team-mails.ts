/** Puts what is due for shared addresses of teams into the queue of mails, and writes it when it is sent. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { MailOutcome, Operation } from "../../operation/domain.ts";
import { digestSubject } from "../notification-mails/compose-mails.ts";
import { subjectOf } from "../notification-mails/plain-line.ts";
import { markRefused } from "./address-links.ts";
import type { AddressTokens } from "./address-tokens.ts";
import * as store from "./mails.store.ts";
import { writeTeamLetter } from "./write-team-letter.ts";

/** Of late mails, which are written only when they are sent. */
const mailKind = "team_notification";

export interface TeamMailDeps {
  db: Database;
  addresses: Addresses;
  registry: Metrics;
  mail: Pick<Operation["mail"], "writeLate" | "sends">;
  mailer: Pick<Operation["mailer"], "composeBy" | "writeBy">;
  tokens: AddressTokens;
}

export function sendTeamMails(deps: TeamMailDeps): void {
  const { db, addresses, tokens, mailer } = deps;
  const outcomes = createCounter(deps.registry, "forgeline_team_mails_total");
  mailer.composeBy(() => db.transaction((tx) => compose(tx, deps)));
  mailer.writeBy(mailKind, async (tx, mailId) => {
    const [first, ...others] = await store.listLetters(tx, mailId);
    if (!first) {
      outcomes.inc({ outcome: "dropped" });
      return undefined;
    }
    const { team_id: teamId, address } = first;
    const endUrl = `${addresses.webUrl}/-/team-address/${tokens.make({ purpose: "end", teamId, address })}`;
    const letter = writeTeamLetter([first, ...others], { addresses, endUrl });
    return {
      to: address,
      ...letter,
      onOutcome: (outcome: MailOutcome) => outcomes.inc({ outcome }),
      onRefusal: () => markRefused(tx, teamId, address),
    };
  });
}

/** False when none is due, or another server is at it. */
async function compose(tx: Transaction, { mail }: TeamMailDeps): Promise<boolean> {
  if (!(await tx.one(store.statements.claim, []))?.claimed) return false;
  if (!mail.sends) {
    // Nobody would ever get them.
    await tx.query(store.statements.removeDue, []);
    return false;
  }
  const due = await store.listDue(tx);
  for (const rows of due) await composeOne(tx, mail, rows);
  return due.length > 0;
}

async function composeOne(
  tx: Transaction,
  mail: TeamMailDeps["mail"],
  rows: readonly store.DueTeamMail[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const head = await tx.one(store.statements.headOf, [ids[0]]);
  if (!head || head.address === null) {
    await tx.query(store.statements.remove, [ids]);
    return;
  }
  const subject = rows.length === 1 ? subjectOf(head) : digestSubject(rows.length);
  const mailId = await mail.writeLate(tx, { kind: mailKind, to: head.address, subject });
  await tx.query(store.statements.assign, [mailId, ids]);
}
