/** One concurrency group: who holds its slots, who waits for one, and giving one back by hand. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/concurrency.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Section } from "../../ui/page.tsx";
import { SlotLine } from "./slot-line.tsx";

type Slot = Schemas["ConcurrencySlot"];

/** `mayRelease`: slots of this repository, as `OWNER/NAME`; the server applies the same rule. */
export function GroupSection({
  group,
  mayRelease,
}: {
  group: Schemas["ConcurrencyGroup"];
  mayRelease: (repository: string) => boolean;
}) {
  const { group: name, scope, limit, holders, queue, queue_length: length } = group;
  const more = length - queue.length;
  return (
    <Section title={name}>
      {scope === "org" ? <Badge>{text.shared}</Badge> : null}
      <h3>{text.holders(holders.length, limit)}</h3>
      {holders.length > 0 ? <Slots slots={holders} mayRelease={mayRelease} /> : <p>{text.nobody}</p>}
      {length > 0 ? (
        <>
          <h3>{text.queue(length)}</h3>
          <Slots slots={queue} mayRelease={mayRelease} isOrdered />
          {more > 0 ? <p>{text.more(more)}</p> : null}
        </>
      ) : null}
    </Section>
  );
}

function Slots({
  slots,
  mayRelease,
  isOrdered = false,
}: {
  slots: readonly Slot[];
  mayRelease: (repository: string) => boolean;
  isOrdered?: boolean;
}) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <List>
      {slots.map((slot) => (
        <li key={slot.id}>
          <SlotLine slot={slot} /> {mayRelease(slot.repository ?? "") ? <ReleaseButton slot={slot} /> : null}
        </li>
      ))}
    </List>
  );
}

/** What waits cannot be released: its run is cancelled instead. */
function ReleaseButton({ slot: { id, state, pipeline, repository } }: { slot: Slot }) {
  if (!pipeline || repository === null || (state !== "held" && state !== "expected")) return null;
  const [owner = "", repo = ""] = repository.split("/");
  const params = { path: { owner, repo, id } };
  return (
    <ConfirmButton
      label={text.release}
      name={text.releaseName(pipeline.number)}
      title={text.releaseTitle}
      said={text.released}
      kind="quiet"
      run={() => api.DELETE("/repos/{owner}/{repo}/concurrency/{id}", { params })}
    >
      <p>{text.releaseHint}</p>
    </ConfirmButton>
  );
}
