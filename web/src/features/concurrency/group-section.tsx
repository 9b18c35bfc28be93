/** One concurrency group: who holds its slots, who waits for one, and giving one back by hand. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/concurrency.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Section } from "../../ui/page.tsx";
import { SlotLine } from "./slot-line.tsx";

type Slot = Schemas["ConcurrencySlot"];

/** How to release the slot; null: the viewer may not, by the same rule that the server applies. */
type Releasing = (slot: Slot) => (() => Promise<unknown>) | null;

export function GroupSection({
  group,
  releasing,
}: {
  group: Schemas["ConcurrencyGroup"];
  releasing: Releasing;
}) {
  const { group: name, scope, limit, holders, queue, queue_length: length } = group;
  const more = length - queue.length;
  return (
    <Section title={name}>
      {scope === "org" ? <Badge>{text.shared}</Badge> : null}
      <h3>{text.holders(holders.length, limit)}</h3>
      {holders.length > 0 ? <Slots slots={holders} releasing={releasing} /> : <p>{text.nobody}</p>}
      {length > 0 ? (
        <>
          <h3>{text.queue(length)}</h3>
          <Slots slots={queue} releasing={releasing} isOrdered />
          {more > 0 ? <p>{text.more(more)}</p> : null}
        </>
      ) : null}
    </Section>
  );
}

function Slots({
  slots,
  releasing,
  isOrdered = false,
}: {
  slots: readonly Slot[];
  releasing: Releasing;
  isOrdered?: boolean;
}) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <List>
      {slots.map((slot) => (
        <li key={slot.id}>
          <SlotLine slot={slot} /> <ReleaseButton slot={slot} run={releasing(slot)} />
        </li>
      ))}
    </List>
  );
}

/** What waits cannot be released: its run is cancelled instead. */
function ReleaseButton({
  slot: { state, pipeline },
  run,
}: {
  slot: Slot;
  run: (() => Promise<unknown>) | null;
}) {
  if (!run || (state !== "held" && state !== "expected")) return null;
  return (
    <ConfirmButton
      label={text.release}
      name={pipeline ? text.releaseName(pipeline.number) : text.releaseOther}
      title={text.releaseTitle}
      said={text.released}
      kind="quiet"
      run={run}
    >
      <p>{pipeline ? text.releaseHint : text.releaseOtherHint}</p>
    </ConfirmButton>
  );
}
