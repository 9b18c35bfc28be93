/** All that an entry of an audit log says. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./audit-log.module.css";
import { AuditTarget } from "./audit-target.tsx";

export function AuditDetails({ entry }: { entry: Schemas["AuditEntry"] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-label={text.detailsOf(entry.action)} onClick={() => setOpen(true)}>
        {text.details}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={entry.action} wide>
        <div className={styles.parts}>
          <Facts facts={factsOf(entry)} />
          {/* A region that scrolls must be reachable by keyboard. */}
          <pre tabIndex={0} aria-label={text.details} className={styles.details}>
            {JSON.stringify(entry.details, null, 2)}
          </pre>
        </div>
      </Dialog>
    </>
  );
}

function factsOf({ actor, target, geo, ...entry }: Schemas["AuditEntry"]) {
  const place = [geo?.city, geo?.region, geo?.country].filter(Boolean).join(", ");
  const facts = [
    { name: text.when, value: <Time at={entry.timestamp} /> },
    { name: text.actor, value: actor.username || text.somebody },
    { name: text.target, value: <AuditTarget target={target} /> },
    { name: text.address, value: actor.ip_address },
    { name: text.place, value: place },
    { name: text.userAgent, value: entry.user_agent },
    { name: text.request, value: entry.request_id },
    { name: text.entry, value: entry.id },
    { name: text.seq, value: entry.seq },
    { name: text.hash, value: entry.hash },
  ];
  return facts.filter(({ value }) => value !== null && value !== "");
}
